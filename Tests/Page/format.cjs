// Formats JavaScript with TypeScript's formatter, or checks that it is formatted.
//
//     node format.cjs [--fix] FILES…
const fs = require('node:fs');
const ts = require('typescript');

const LINE_LIMIT = 140;
const isFixing = process.argv[2] === '--fix';
const files = process.argv.slice(isFixing ? 3 : 2);
const settings = {
  ...ts.getDefaultFormatCodeSettings('\n'), indentSize: 2, tabSize: 2, semicolons: ts.SemicolonPreference.Insert,
  insertSpaceAfterOpeningAndBeforeClosingNonemptyBraces: true, insertSpaceBeforeFunctionParenthesis: false,
};
const host = {
  getScriptFileNames: () => files, getScriptVersion: () => '0', getCurrentDirectory: () => process.cwd(),
  getScriptSnapshot: (name) => (fs.existsSync(name) ? ts.ScriptSnapshot.fromString(fs.readFileSync(name, 'utf8')) : undefined),
  getCompilationSettings: () => ({ allowJs: true }), getDefaultLibFileName: () => '', fileExists: fs.existsSync,
  readFile: (name) => fs.readFileSync(name, 'utf8'),
};
const service = ts.createLanguageService(host);
let faults = 0;
for (const file of files) {
  const source = fs.readFileSync(file, 'utf8');
  let text = source;
  for (const { span, newText } of service.getFormattingEditsForDocument(file, settings).reverse()) {
    text = text.slice(0, span.start) + newText + text.slice(span.start + span.length);
  }
  text = text.replace(/[ \t]+$/gm, '').replace(/\n*$/, '\n');
  text.split('\n').forEach((line, index) => {
    if (line.length <= LINE_LIMIT || line.startsWith('const ')) return;
    faults += 1;
    console.log(`${file}:${index + 1}: ${line.length} columns; the limit is ${LINE_LIMIT}`);
  });
  if (text === source) continue;
  if (isFixing) fs.writeFileSync(file, text);
  else {
    faults += 1;
    console.log(`${file} is not formatted`);
  }
}
process.exit(faults > 0 ? 1 : 0);
