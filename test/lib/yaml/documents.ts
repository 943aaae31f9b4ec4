/** Random YAML documents, made of entries whose texts are known. */
import fc from "fast-check";

/** A key with its value and the comments above it. */
export interface Entry {
  readonly name: string;
  /** Its lines, without the last line break. */
  readonly text: string;
  /** Not to be changed: another key reads as the same name. */
  readonly isAmbiguous?: boolean;
}
/** A document and what it is made of. */
export interface RandomDocument {
  readonly head: string;
  readonly entries: readonly Entry[];
  readonly tail: string;
  readonly text: string;
  readonly lineBreak: string;
}

const WORDS = [
  "word",
  "two words",
  "'single ''quoted'''",
  '"double \\"quoted\\" \\u00e9"',
  "yes",
  "true",
  "~",
  "null",
  "2024-01-02",
  "2024-01-02T03:04:05Z",
  "01234",
  "1234567890123456789",
  "1.10",
  "21.00",
  "1e999",
  "1e3",
  "0x1F",
  "0o17",
  ".inf",
  "-.INF",
  ".nan",
  "-0",
  "+1",
  ".5",
  "5.",
  "007.5",
  "12:30:45",
  "1_000",
  "grüße",
  "日本語",
  "🎉 party",
  "a#b",
  "http://x.y/z?a=b",
  "a",
  "!!str 5",
  "9007199254740993",
  "0.1000000000000000055511151231257827",
  "'it''s'",
  '"a\\nb"',
  "-1",
];
const COMMENTS = ["", "", "", " # why", "\t# tab", "   ", "\t", " #", " # grün: [x"];
const FLOWS = [
  "[a, b]",
  "[a,b]",
  "[ 'a', \"b\" ]",
  "[]",
  "{}",
  "{ x: 1 }",
  "{x: 1, y: [2, 3]}",
  "[1.10, 01234]",
  "[{x: 1}, {x: 2}]",
  "{x: 1,}",
  "{\"x\": 1, 'y': 2}",
  "[a: 1, b]",
  "{x, y: 2}",
  "[[1], [2, 3]]",
];
const ABOVE = ["", "", "", "# above\n", "\n", "# one\n\n# two\n", " # deep\n"];

const word = fc.constantFrom(...WORDS);
const comment = fc.constantFrom(...COMMENTS);

const line = fc.tuple(fc.oneof(word, fc.constantFrom(...FLOWS)), comment).map(([a, b]) => a + b);
const indent = fc.constantFrom("  ", "    ", " ");

const blockMap = fc
  .tuple(indent, fc.array(line, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([pad, values, isDeep]) => {
    const lines = values.map((value, at) => `${pad}m${at}: ${value}`);
    if (isDeep)
      lines.splice(
        1,
        0,
        `${pad}# between`,
        `${pad}deep:`,
        `${pad}${pad}x: 1 # x`,
        `${pad}${pad}y: 'z'`,
      );
    return `\n${lines.join("\n")}`;
  });
const blockList = fc
  .tuple(
    fc.constantFrom("", "  ", "    "),
    fc.array(line, { minLength: 1, maxLength: 4 }),
    fc.nat(3),
  )
  .map(([pad, values, form]) => {
    const lines = values.flatMap((value, at) => {
      if (form === 1) return [`${pad}- p: ${value}`, `${pad}  q: ${at} # q`];
      if (form === 2) return [`${pad}# item ${at}`, `${pad}-   ${value}`];
      if (form === 3 && at === 0) return [`${pad}- - ${value}`, `${pad}  - two`];
      return [`${pad}- ${value}`];
    });
    return `\n${lines.join("\n")}`;
  });
const block = fc
  .tuple(
    fc.constantFrom("|", ">", "|-", ">-", "|+", ">+", "|2", "| # c"),
    fc.array(fc.constantFrom("one", "two words", "", "  deep", "# no comment", "ü: x")),
  )
  .map(
    ([sign, lines]) =>
      ` ${sign}\n  first${lines.map((text) => (text === "" ? "\n" : `\n  ${text}`)).join("")}`,
  );
const multiline = fc.constantFrom(
  ' "one\n  two"',
  " 'one\n\n  two'",
  " plain text\n  goes on",
  " [\n    a, # a\n    b\n  ]",
  " {\n    x: 1, # one\n    y: 2 # two\n  }",
);
const commentedMap = fc.constantFrom(
  " # about\n  x: 1\n  y: 2",
  " # about\n  # more\n  - a\n  - b",
  " &none # c\n  x: 1",
);
const value = fc.oneof(
  { weight: 6, arbitrary: line.map((text) => ` ${text}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom("  ", "\t "), line).map(([gap, text]) => gap + text),
  },
  { weight: 2, arbitrary: blockMap },
  { weight: 2, arbitrary: blockList },
  { weight: 2, arbitrary: block },
  { weight: 1, arbitrary: multiline },
  { weight: 1, arbitrary: commentedMap },
  { weight: 1, arbitrary: comment },
);

const KEYS: readonly (readonly [name: string, text: string])[] = [
  ["title", "title"],
  ["quoted", '"quoted"'],
  ["single", "'single'"],
  ["two words", "two words"],
  ["1", "1"],
  ["1.10", "1.10"],
  ["007", "007"],
  ["2024-01-02", "2024-01-02"],
  ["true", "true"],
  ["null", "null"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["ключ", "ключ"],
  ["🎉", '"🎉"'],
  ["a: b", "'a: b'"],
  ["", '""'],
  ["a-b.c_d", "a-b.c_d"],
  ["0x1F", "0x1F"],
  ["<<x", "<<x"],
  ["@at", '"@at"'],
];

const entry = (at: number, [name, key]: readonly [string, string]): fc.Arbitrary<Entry> =>
  fc
    .record({
      above: fc.constantFrom(...ABOVE),
      value,
      form: fc.nat(19),
      tabs: fc.constantFrom("", "", " "),
    })
    .map(({ above, value: text, form, tabs }) => {
      if (form === 0) return { name, text: `${above}? ${key}\n: word` };
      if (form === 1 && /^ \w/.test(text)) return { name, text: `${above}${key}: &a${at}${text}` };
      return { name, text: `${above}${key}${tabs}:${text}` };
    });

/** Documents with comments, anchors, all styles, quotes, line breaks, byte order marks and numbers of every form. */
export const documents: fc.Arbitrary<RandomDocument> = fc
  .record({
    keys: fc.shuffledSubarray([...KEYS], { maxLength: 8 }),
    bom: fc.constantFrom("", "", "\uFEFF"),
    head: fc.constantFrom("", "", "# head\n", "---\n", "%YAML 1.2\n---\n", "--- # start\n", "\n\n"),
    tail: fc.constantFrom(
      "\n",
      "\n",
      "\n",
      "",
      "\n# end\n",
      "\n\n\n",
      "\n...\n",
      "\n---\nother: document\n",
    ),
    lineBreak: fc.constantFrom("\n", "\n", "\r\n"),
    extras: fc.record({ alias: fc.boolean(), twins: fc.boolean() }),
  })
  .chain(({ keys, extras, ...shape }) =>
    fc.tuple(...keys.map((key, at) => entry(at, key))).map((own): RandomDocument => {
      const entries: Entry[] = [...own];
      const anchor = /&(a\d+) /.exec(entries.map(({ text }) => text).join("\n"))?.[1];
      if (extras.alias && anchor !== undefined)
        entries.push({ name: "alias", text: `alias: *${anchor} # same` });
      if (extras.twins) {
        entries.push(
          { name: "5", text: "5: number", isAmbiguous: true },
          { name: "5", text: "'5': text", isAmbiguous: true },
        );
      }
      const lines = (text: string): string => text.replaceAll("\n", shape.lineBreak);
      const all = entries.map((one) => ({ ...one, text: lines(one.text) }));
      const head = shape.bom + lines(shape.head);
      const tail = lines(shape.tail);
      const text = head + all.map((one) => one.text).join(shape.lineBreak) + tail;
      return { head, entries: all, tail, text, lineBreak: shape.lineBreak };
    }),
  );

/** New values of every kind. */
export const newValues: fc.Arbitrary<unknown> = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "a\nb",
      "a\nb\n",
      "\n a\n\n",
      "a\r\nb",
      "  x",
      "x ",
      "\t",
      "01234",
      "1.10",
      "~",
      "# no",
      "- a",
      "x: y",
      "1e999",
      "\u2028",
      "\uFEFF",
      "",
      "---",
      "...",
      "a # b",
      "{",
      "*x",
      "&x",
      "!x",
      "x\n---\ny\n",
      "| \n",
      "\n",
      " \n ",
      "true",
    ),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom("a", "b", "1", "x y", "m0", "x"), fc.string({ maxLength: 5 })),
      tie("any"),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).any;
