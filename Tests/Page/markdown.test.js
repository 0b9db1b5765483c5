import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownBlocks, plainPieces } from './built/markdown.mjs';
import { hostileTexts } from './hostile.js';

/** @param {any} node @param {(node: any) => void} visit */
function walk(node, visit) {
  visit(node);
  if (typeof node !== 'string') node.children.forEach((/** @type {any} */ child) => walk(child, visit));
}

const text = (/** @type {any[]} */ nodes) => {
  let result = '';
  for (const node of nodes) walk(node, (part) => { result += typeof part === 'string' ? part : part.code?.text ?? ''; });
  return result;
};

test('eachBlockHasThePlaceWhereItBegins', () => {
  const source = '# A\n\nfirst\n\n```js\nlet a;\n\nlet b;\n```\n\n- one\n- two\n';
  const blocks = markdownBlocks(source);
  assert.deepEqual(blocks.map(({ start }) => start), [0, 5, 12, 38]);
  assert.equal(blocks[2].nodes[0].code.language, 'js');
});

test('aGrowingTextHasTheSameBlocksUpToTheLast', () => {
  const source = '# A\n\nfirst *word* here\n\n```js\nlet a;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nend\n';
  const whole = markdownBlocks(source);
  for (let length = 1; length < source.length; length += 1) {
    const part = markdownBlocks(source.slice(0, length)).slice(0, -1);
    assert.deepEqual(part, whole.slice(0, part.length));
  }
});

test('tablesHaveTheirAlignment', () => {
  const [{ nodes }] = markdownBlocks('| a |\n|--:|\n| 1 |\n');
  assert.equal(nodes[0].children[0].children[0].children[0].attributes.class, 'right');
});

test('hostileTextsBecomeAllowedElementsWithSafeLinks', () => {
  for (const source of hostileTexts()) {
    for (const { nodes } of markdownBlocks(source.slice(0, 32_768))) {
      nodes.forEach((node) => walk(node, (part) => {
        if (typeof part === 'string') return;
        assert.match(part.tag, /^(p|h[1-6]|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|em|strong|s|a|code|pre|hr|br|span)$/);
        if (part.tag === 'a') assert.match(part.attributes.href, /^https?:\/\//);
      }));
    }
  }
});

test('linksAndTablesOfTextsThatWouldTakeSecondsStayText', () => {
  const table = `${'|a'.repeat(200)}|\n${'|-'.repeat(200)}|\n${'|\n'.repeat(10_000)}`;
  for (const source of [table, '[a]('.repeat(25_000), '![a]('.repeat(20_000), '[a]: b\n'.repeat(14_000), '[[a]('.repeat(20_000)]) {
    const nodes = markdownBlocks(`${source} [x](https://y.example)`).flatMap((block) => block.nodes);
    /** @type {string[]} */ const tags = [];
    for (const node of nodes) walk(node, (part) => { if (typeof part !== 'string') tags.push(part.tag); });
    assert.ok(tags.length < 50_000 && !tags.includes('table'));
    assert.equal(text(nodes).includes('[x]('), source !== table);
  }
});

test('usualTablesAndLinksAreRecognised', () => {
  const rows = '| a [b](https://c.example) | d |\n'.repeat(1000);
  const [{ nodes }] = markdownBlocks(`| x | y |\n|---|---|\n${rows}`);
  /** @type {string[]} */ const tags = [];
  walk(nodes[0], (part) => { if (typeof part !== 'string') tags.push(part.tag); });
  assert.deepEqual([tags.filter((tag) => tag === 'td').length, tags.filter((tag) => tag === 'a').length], [2000, 1000]);
});

test('tasksHaveBoxes', () => {
  const source = '- [ ] write\n- [x] read **all**\n- [link](https://a.example)\n\n[x] no item';
  const items = markdownBlocks(source).map(({ nodes }) => text(nodes));
  assert.deepEqual(items.map((item) => item.replace(/\s+/g, '')), ['☐write☑readalllink', '[x]noitem']);
});

test('htmlStaysText', () => {
  assert.equal(text(markdownBlocks('<img src=x onerror=alert(1)>').flatMap(({ nodes }) => nodes)), '<img src=x onerror=alert(1)>');
});

test('theTextOfAHitHasNoMarks', () => {
  for (const [pieces, plain] of [
    [['The fix is **in ', 'admit', '** and `users`.'], ['The fix is in ', 'admit', ' and users.']],
    [['## What\n\n1. `', 'admit', '` compares\n2. See [the issue](https://a.example/1).'], ['What ', 'admit', ' compares See the issue.']],
    [['… | 12 ms |\n| refuses a ', 'wrong', ' one | **failed** |'], ['… 12 ms refuses a ', 'wrong', ' one failed']],
    [['…ly** cut, ', 'here', ' and **th…'], ['…ly cut, ', 'here', ' and th…']],
    [['```sh\ncat a | ', 'grep', ' **b\n```\n'], ['cat a | ', 'grep', ' **b']],
    [['a_b and 2 * 3 * 4 ', 'stay', ''], ['a_b and 2 * 3 * 4 ', 'stay', '']],
    [['[x](https://a.example/', 'hidden', ')'], ['[x](https://a.example/', 'hidden', ')']],
    [['no match'], ['no match']],
  ]) assert.deepEqual(plainPieces(pieces), plain);
  for (const hostile of hostileTexts()) plainPieces(['a', hostile.slice(0, 240), hostile.slice(0, 240)]);
});
