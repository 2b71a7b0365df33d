/**
 * `npm run words [path …]`: lists constructions and terms that our texts avoid, with their places:
 * documentation, comments and strings.
 * A help for writing, not a test: some of what it finds is right where it stands.
 */
import { globSync, readFileSync } from 'node:fs';

const avoided = [
  [/(^|[.!?:;] )(Who|Whoever|Whatever|Nobody)\b/, 'name the actor: "Users who …"'],
  [/\bnobody (?!else)/i, 'use a statement about the thing: "Default: none."'],
  [/\b(some|any)body\b/i, 'name the actor: a user, a caller, another instance'],
  [/(^|[.!?] )What ([a-z ]+ )?(is|are|was|has|have|needs?|says?|said)\b/, 'put the noun first'],
  [
    /\b(tells?|told|hears?|heard|speaks?|wishes|knocks?) (the|of|by|from|when|what|it|to)\b/i,
    'sends, receives, reports',
  ],
  [/\banew\b/i, 'again'],
  [/(^|[.!?:] )(How many|How much) [^?]*\.$/, 'put the noun first: "The number of …"'],
  [/\btouched\b|\btake away\b/i, 'changed, remove'],
  [/\bgiven up\b/i, 'dead-lettered'],
  [/\bgoes? on\b/i, 'continue'],
  [/\bgoes? before\b/i, 'takes precedence over'],
  [/\bwindow of its own\b/i, 'popup'],
  [/\bof (its|their) own\b/i, 'separate'],
  [/\bunder way\b/i, 'in progress, current'],
  [/\bso (many|much|often|long)\b(?! as| that)/i, 'say what the number is'],
  [/\bstand-in\b/i, 'placeholder'],
];
const longest = 22;
const lastColumn = 100;

const given = process.argv.slice(2);
const paths =
  given.length > 0
    ? given
    : globSync(['*.md', 'docs/**/*.md', '{src,scripts,demo}/**/*.{ts,mjs}', 'test/*/**/*.{ts,mjs}']);
let count = 0;
for (const path of paths.filter((each) => !/node_modules|\/dist\//.test(each))) {
  let inCode = false;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.startsWith('```')) inCode = !inCode;
    const text = path.endsWith('.md') ? line : (/(?:\/\/|\*) (.*)/.exec(line)?.[1] ?? stringsOf(line));
    if (inCode || !text || text.startsWith('|')) continue;
    if (!path.endsWith('.md') && /^\s*(\/\/|\/?\*)/.test(line) && line.length > lastColumn) {
      report(path, index + 1, `a comment of ${line.length} columns`);
    }
    for (const [pattern, advice] of avoided) {
      if (pattern.test(text)) report(path, index + 1, `${pattern.exec(text)?.[0].trim()}: ${advice}`);
    }
  }
  if (path.endsWith('.md')) reportLongSentences(path);
}
console.log(`${count} places.`);

/** The strings of a line of code that people read: those of at least three words. */
function stringsOf(line) {
  const strings = [...line.matchAll(/(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(([, , text]) => text);
  return strings.filter((text) => text.split(' ').length > 2).join(' ');
}

function reportLongSentences(path) {
  const prose = readFileSync(path, 'utf8')
    .replace(/```[\s\S]*?```/g, '')
    .split(/\n\n+/);
  for (const paragraph of prose.filter((each) => !/^[|#<!-]/.test(each.trim()))) {
    for (const sentence of paragraph.replaceAll('\n', ' ').split(/(?<=[.!?:])\s+/)) {
      const words = sentence.split(/\s+/).length;
      if (words > longest) report(path, 0, `${words} words: ${sentence.slice(0, 90)}`);
    }
  }
}

function report(path, line, what) {
  count += 1;
  console.log(`${path}${line ? `:${line}` : ''}: ${what}`);
}
