/** A theme for Shiki whose colours are the numbers of classes: the style sheet has the real ones. */

/** Classes of tokens, and the TextMate scopes they stand for. */
const TOKENS: readonly (readonly [name: string, scopes: readonly string[]])[] = [
  ["tk-c", ["comment", "punctuation.definition.comment", "string.comment"]],
  [
    "tk-k",
    [
      "keyword",
      "storage",
      "storage.type",
      "variable.language",
      "keyword.control",
      "punctuation.definition.keyword",
      "entity.name.tag.yaml.anchor",
    ],
  ],
  [
    "tk-s",
    ["string", "string.quoted", "markup.inline.raw", "markup.fenced_code", "constant.other.symbol"],
  ],
  [
    "tk-n",
    [
      "constant",
      "constant.numeric",
      "constant.language",
      "support.constant",
      "variable.other.constant.property",
      "keyword.other.unit",
      "variable.other.enummember",
    ],
  ],
  [
    "tk-f",
    [
      "entity.name.function",
      "support.function",
      "meta.function-call.generic",
      "entity.name.section",
      "markup.heading",
      "entity.name.command",
      "variable.function",
    ],
  ],
  [
    "tk-t",
    [
      "entity.name.type",
      "entity.name.class",
      "support.type",
      "support.class",
      "entity.name.tag",
      "entity.other.inherited-class",
      "entity.name.namespace",
    ],
  ],
  [
    "tk-a",
    [
      "entity.other.attribute-name",
      "support.type.property-name",
      "meta.object-literal.key",
      "variable.parameter",
      "variable.other.normal",
      "punctuation.definition.variable",
    ],
  ],
  ["tk-i", ["markup.inserted", "meta.diff.header.to-file", "punctuation.definition.inserted"]],
  ["tk-d", ["markup.deleted", "meta.diff.header.from-file", "punctuation.definition.deleted"]],
];
const PLAIN = [
  "keyword.operator",
  "meta.embedded",
  "string meta.embedded",
  "meta.template.expression",
  "string punctuation.section.embedded",
  "punctuation.definition.template-expression",
];
const FOREGROUND = "#000000";

/** Colours in the order of the classes. */
export const CODE_THEME = {
  name: "site",
  type: "light" as const,
  fg: FOREGROUND,
  bg: "#ffffff",
  settings: [
    { settings: { foreground: FOREGROUND } },
    ...TOKENS.map(([, scope], at) => ({
      scope: [...scope],
      settings: { foreground: colourOf(at) },
    })),
    { scope: PLAIN, settings: { foreground: FOREGROUND } },
  ],
};

function colourOf(at: number): string {
  return `#0000${(at + 1).toString(16).padStart(2, "0")}`;
}

/** The class of a token's style; null for the colour of all code. */
export function tokenClass(style: string): string | null {
  const number = /#0000([\da-f]{2})\b/i.exec(style)?.[1];
  return number === undefined ? null : (TOKENS[parseInt(number, 16) - 1]?.[0] ?? null);
}
