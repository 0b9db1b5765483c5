// The parts of the libraries' interfaces that the page uses.

declare module 'markdown-it' {
  export interface Token {
    type: string;
    tag: string;
    nesting: number;
    level: number;
    content: string;
    info: string;
    map: [number, number] | null;
    children: Token[] | null;
    attrs: [string, string][] | null;
    hidden: boolean;
    attrGet(name: string): string | null;
  }
  export default class MarkdownIt {
    constructor(preset: string, options: { html: boolean, linkify: boolean, maxNesting?: number });
    parse(text: string, env: object): Token[];
    validateLink: (url: string) => boolean;
    disable(rules: string[]): MarkdownIt;
    linkify: { set(options: object): unknown };
  }
}

declare module 'prismjs' {
  type Token = string | { type: string, content: Token | Token[] };
  const Prism: { languages: Record<string, unknown>, tokenize(text: string, grammar: object): Token[] };
  export default Prism;
}

declare module 'diff' {
  export function diffLines(
    before: string, after: string, options?: { maxEditLength?: number },
  ): { value: string, added?: boolean, removed?: boolean }[] | undefined;
}

declare module 'prismjs/components/*';

interface Array<T> { findLast?(test: (item: T) => boolean): T | undefined; }
interface ObjectConstructor { hasOwn(object: object, key: PropertyKey): boolean; }
