// Texts that must stay text: none runs a script, loads something, or breaks the layout.

export function hostileTexts() {
  const payloads = [
    '<img src=x onerror="window.hacked=1">', '<script>window.hacked=1</script>', '<svg onload=window.hacked=1>',
    '<iframe srcdoc="<script>parent.hacked=1</script>">', '<a href="javascript:window.hacked=1">x</a>', '<style>*{display:none}</style>',
    '[x](javascript:window.hacked=1)', '[x](JaVaScRiPt:window.hacked=1)', '[x](java\nscript:window.hacked=1)', '<javascript:hacked>',
    '[x](data:text/html,<script>hacked=1</script>)', '![x](http://tracker.invalid/a.png)', '![x](javascript:hacked=1)',
    '[x]: javascript:hacked=1\n\n[x]', '[x](vbscript:hacked)', '<http://a.invalid/"onmouseover="hacked=1>', '`<script>hacked=1</script>`',
    '```html\n<script>hacked=1</script>\n```', '~~~"><script>hacked=1</script>\nx\n~~~', '&lt;script&gt;hacked=1&lt;/script&gt;',
    '&#60;script&#62;hacked=1', '\u202egnp.exe\u202c', 'a\u200b\u200c\u200d\ufeffb', '\u2066\u2067\u2068x', '\u001b[31mred\u001b[0m',
    '\u001b]8;;javascript:hacked=1\u0007link\u001b]8;;\u0007', '\u001b]0;title\u0007', '\u0000\u0001\u0002\u007f\u009b31m', '\ud800 \udfff',
    'A'.repeat(50_000), 'x '.repeat(20_000), '>'.repeat(5000), '- '.repeat(3000), '['.repeat(5000), '*'.repeat(5000), '`'.repeat(5001),
    '#'.repeat(5000), '|'.repeat(5000), `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|b'.repeat(500)}|`, '\n'.repeat(5000),
    `${'  '.repeat(500)}deep`, 'Z\u0300\u0301\u0302'.repeat(2000), '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}'.repeat(500),
    '\ufdfd'.repeat(200),
    '__proto__', 'constructor', 'toString', '{"__proto__":{"x":1}}', '%s%n%x', '${hacked=1}',
  ];
  const frames = [
    (/** @type {string} */ text) => text, (/** @type {string} */ text) => `before ${text} after`,
    (/** @type {string} */ text) => `> ${text}`, (/** @type {string} */ text) => `1. ${text}\n2. **${text}**`,
  ];
  return payloads.flatMap((payload) => frames.map((frame) => frame(payload)));
}
