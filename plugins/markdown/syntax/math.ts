/** Formulas: which dollars in a text are math, and TeX as HTML that a strict CSP allows. */
import katex from "katex";
import { styleClasses, type MathOptions } from "./math-styles.js";
import type { Construct, Extension, State } from "./shortcode-syntax.js";

/** Longer formulas are shown as text. */
const MAX_LENGTH = 10_000;

/** Renders a formula; a malformed one is shown as its source, marked as an error. */
export function renderMath(tex: string, { isDisplay }: MathOptions): string {
  if (tex.length > MAX_LENGTH) return escaped(tex);
  try {
    const html = katex.renderToString(tex, {
      displayMode: isDisplay,
      // Links, images and classes of an author would bypass the sanitiser.
      trust: false,
      strict: "ignore",
      throwOnError: true,
      maxSize: 50,
      maxExpand: 500,
    });
    return withoutStyles(html);
  } catch (error) {
    if (!(error instanceof katex.ParseError)) throw error;
    const reason = escaped(error.message);
    return `<code class="math-error" title="${reason}">${escaped(tex)}</code>`;
  }
}

/** Moves inline styles into classes, which the style sheet of math defines. */
function withoutStyles(html: string): string {
  return html.replace(/<(?!math|annotation)[a-z]+ [^<>]*style="[^"<>]*"[^<>]*>/g, (tag) => {
    const style = /\sstyle="([^"]*)"/.exec(tag);
    const classes = styleClasses(style?.[1] ?? "").join(" ");
    const bare = tag.replace(/\sstyle="[^"]*"/, "");
    if (classes === "") return bare;
    if (!/\sclass="/.test(bare))
      return bare.replace(/^<[a-z]+/, (name) => `${name} class="${classes}"`);
    return bare.replace(
      /\sclass="([^"]*)"/,
      (_all, names: string) => ` class="${names} ${classes}"`,
    );
  });
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

const DOLLAR = 0x24;

/**
 * The extension, but `$…$` is math only by Pandoc's rule: no space inside the dollars, and no digit
 * after them. Amounts of money stay text.
 */
export function withStrictDollars(extension: Extension): Extension {
  const inner = [extension.text?.[DOLLAR] ?? []].flat();
  const constructs = inner.map((construct) => guarded(construct as Construct));
  return { ...extension, text: { ...extension.text, [DOLLAR]: constructs } };
}

function guarded(construct: Construct): Construct {
  const guard: Construct = { partial: true, tokenize: tokenizeGuard };
  return {
    name: construct.name,
    ...(construct.previous && { previous: construct.previous }),
    tokenize: (effects, ok, nok) => effects.check(guard, effects.attempt(construct, ok, nok), nok),
  } as Construct;
}

const tokenizeGuard: Construct["tokenize"] = (effects, ok, nok) => {
  let open = 0;
  let before: number | null = null;
  const start: State = (code) => {
    effects.enter("data");
    return opening(code);
  };
  const end = (code: number | null, isMath: boolean): State | undefined => {
    effects.exit("data");
    return isMath ? ok(code) : nok(code);
  };
  const opening: State = (code) => {
    if (code === DOLLAR) {
      open += 1;
      return take(code, opening);
    }
    if (open > 1) return end(code, true);
    return isSpace(code) ? end(code, false) : inside(code);
  };
  const inside: State = (code) => {
    if (code === null) return end(code, false);
    if (code === DOLLAR) return isSpace(before) ? end(code, false) : take(code, closed);
    return take(code, inside);
  };
  const closed: State = (code) => end(code, code === null || code < 0x30 || code > 0x39);
  const take = (code: number | null, next: State): State => {
    before = code;
    if (code !== null && code < 0 && code > -6 && code !== -1 && code !== -2) {
      effects.exit("data");
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      effects.enter("data");
    } else effects.consume(code);
    return next;
  };
  return start;
};

function isSpace(code: number | null): boolean {
  return code === null || code < 0 || code === 0x20;
}
