/**
 * The inline styles of KaTeX as classes of a fixed style sheet: a strict CSP refuses the former. A
 * length is the sum of its digits, each a class.
 */

/** Options of showing a formula. */
export interface MathOptions {
  /** True: on lines of its own; false: within a line of text. */
  readonly isDisplay: boolean;
}

/** Properties with a length in `em`, and the letter of their classes. */
const LENGTHS: Readonly<Record<string, string>> = {
  height: "h",
  width: "w",
  "min-width": "m",
  "vertical-align": "v",
  top: "t",
  bottom: "b",
  left: "x",
  "margin-left": "l",
  "margin-right": "r",
  "margin-top": "u",
  "padding-left": "p",
  "border-bottom-width": "d",
  "border-top-width": "o",
  "border-right-width": "s",
  "border-width": "g",
};
const COLOURS: readonly string[] =
  "black gray silver white red maroon orange yellow olive lime green aqua teal cyan blue navy fuchsia magenta purple violet pink brown".split(
    " ",
  );
const WORDS: Readonly<Record<string, string>> = {
  "position:relative": "kq-rel",
  "border-style:solid": "kq-solid",
  "border-right-style:solid": "kq-right",
  "border-right-style:dashed": "kq-dash",
  "border-bottom-style:solid": "kq-bottom",
  "border-bottom-style:dashed": "kq-bdash",
};
const MAX_UNITS = 99;
/** Thousandths of an em: 0.02 px of ordinary text. */
const PLACES = [
  ["a", 10_000],
  ["b", 1_000],
  ["c", 100],
  ["d", 10],
  ["e", 1],
] as const;

/** The classes of a style attribute; declarations that the style sheet lacks are dropped. */
export function styleClasses(style: string): string[] {
  return style.split(";").flatMap((declaration) => {
    const colon = declaration.indexOf(":");
    if (colon === -1) return [];
    const property = declaration.slice(0, colon).trim();
    const value = declaration.slice(colon + 1).trim();
    const letter = LENGTHS[property];
    if (letter !== undefined && value.endsWith("em")) return lengthClasses(letter, value);
    if (letter !== undefined && value === "100%") return [`k${letter}-full`];
    if (/^(?:background-|border-)?color$/.test(property)) return colourClasses(property, value);
    const word = WORDS[`${property}:${value}`];
    return word === undefined ? [] : [word];
  });
}

function lengthClasses(letter: string, value: string): string[] {
  const length = Number(value.slice(0, -2));
  if (!Number.isFinite(length) || Math.abs(length) > MAX_UNITS) return [];
  let rest = Math.round(Math.abs(length) * 1_000);
  const classes = [`k${letter}`];
  if (length < 0) classes.push(`k${letter}-n`);
  for (const [place, worth] of PLACES) {
    const digit = Math.floor(rest / worth);
    rest -= digit * worth;
    if (digit > 0) classes.push(`k${letter}-${place}${digit}`);
  }
  return classes;
}

function colourClasses(property: string, value: string): string[] {
  const name = value.toLowerCase();
  const kind = property === "color" ? "c" : property === "background-color" ? "f" : "e";
  return COLOURS.includes(name) ? [`kc${kind}-${name}`] : [];
}

/** The rules of all classes; follows the style sheet of KaTeX. */
export function mathStyleSheet(): string {
  const rules: string[] = [];
  for (const [property, letter] of Object.entries(LENGTHS)) {
    const digits = PLACES.map(([letter]) => `var(--${letter})`).join(" + ");
    const zero = PLACES.map(([letter]) => `--${letter}:0`).join(";");
    rules.push(
      `.katex .k${letter}{--k${letter}:1;${zero.replaceAll("--", `--k${letter}`)};` +
        `${property}:calc(1em*var(--k${letter})*(${digits.replaceAll("--", `--k${letter}`)}))}`,
      `.katex .k${letter}-n{--k${letter}:-1}`,
      `.katex .k${letter}-full{${property}:100%}`,
    );
    for (const [place, worth] of PLACES) {
      for (let digit = 1; digit < 10; digit += 1) {
        const value = (digit * worth) / 1_000;
        rules.push(`.katex .k${letter}-${place}${digit}{--k${letter}${place}:${value}}`);
      }
    }
  }
  for (const [declaration, name] of Object.entries(WORDS)) {
    rules.push(`.katex .${name}{${declaration}}`);
  }
  for (const colour of COLOURS) {
    rules.push(
      `.katex .kcc-${colour}{color:${colour}}`,
      `.katex .kcf-${colour}{background-color:${colour}}`,
      `.katex .kce-${colour}{border-color:${colour}}`,
    );
  }
  return rules.join("");
}
