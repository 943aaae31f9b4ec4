const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  laquo: "«",
  raquo: "»",
  euro: "€",
  times: "×",
  middot: "·",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  shy: "",
};

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}));/y;

/** Decodes the character reference at `at`; null for an uncommon one. */
export function decodeEntity(source: string, at: number): { text: string; end: number } | null {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(source);
  if (match === null) return null;
  const [, decimal, hexadecimal, name] = match;
  const text = name === undefined ? fromCode(decimal, hexadecimal) : named(name);
  return text === null ? null : { text, end: ENTITY.lastIndex };
}

function named(name: string): string | null {
  return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? null) : null;
}

function fromCode(decimal: string | undefined, hexadecimal: string | undefined): string {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  const isText = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isText ? String.fromCodePoint(code) : "\ufffd";
}
