import assert from "node:assert/strict";
import { parse } from "yaml";
import { z } from "zod";
import { filesOf, textOf } from "../../support/repository.js";
import { useSite } from "../../support/sites/use-site.js";

const FOLDER = "themes/default/static";
const manifest = z.object({ looks: z.record(z.string(), z.string()) });
const { looks } = manifest.parse(parse(textOf("themes/default/theme.yaml")));
const [first = "", ...others] = Object.keys(looks);

/** Custom properties by name. */
type Tokens = Readonly<Record<string, string>>;
const own: Tokens = tokensOf(`${FOLDER}/style.css`);
const marked: Tokens = tokensOf(`${FOLDER}/markdown.css`);

/** WCAG 2.2, 1.4.3 (text) and 1.4.11 (borders of controls, focus rings). */
const TEXT = 4.5;
const CONTROL = 3;
const PAPERS = ["paper", "surface", "raised"];
const CODE = ["ink", "comment", "keyword", "string", "number", "title", "type"];
/** Colours of the theme that stand on one another. */
const PAIRS: readonly (readonly [front: string, back: string, ratio: number])[] = [
  ...PAPERS.flatMap((back): [string, string, number][] => [
    ["ink", back, TEXT],
    ["dim", back, TEXT],
    ["accent", back, TEXT],
    ["accent-strong", back, TEXT],
    ["danger", back, TEXT],
    ["line-strong", back, CONTROL],
  ]),
  ["ink", "tint", TEXT],
  ["accent-strong", "tint", TEXT],
  ["on-accent", "accent", TEXT],
  ["on-accent", "accent-strong", TEXT],
  ["paper", "ink", TEXT],
  ["ink", "mark", TEXT],
  ["danger", "danger-tint", TEXT],
  ["dim", "code-paper", TEXT],
  ...CODE.map((name): [string, string, number] => [`code-${name}`, "code-paper", TEXT]),
  ...["code-marked", "code-added", "code-removed"].map((back): [string, string, number] => [
    "code-ink",
    back,
    TEXT,
  ]),
];

describe("the looks of the default theme", () => {
  it("are four: the theme itself, and three files of tokens", () => {
    assert.equal(1 + others.length, 4);
    assert.deepEqual(
      filesOf(`${FOLDER}/looks/*`),
      others.map((name) => `${FOLDER}/looks/${name}.css`).toSorted(),
    );
  });

  for (const look of others) {
    it(`${look}: sets tokens of the theme, for type, colour, measure and density, and nothing else`, () => {
      const text = withoutComments(textOf(`${FOLDER}/looks/${look}.css`));
      assert.match(text, /^\s*:root \{[^{}]*\}\s*$/);
      const declared = Object.keys(tokensOf(`${FOLDER}/looks/${look}.css`));
      const count = (text.match(/;/g) ?? []).length;
      assert.equal(declared.length, count, "a declaration that is no custom property");
      const foreign = declared.filter((name) => !(name in own) && name !== "serif");
      assert.deepEqual(foreign, []);
      for (const name of ["accent", "leading", "measure", "density"])
        assert.ok(declared.includes(name), name);
    });
  }

  for (const look of [first, ...others])
    for (const [scheme, at] of [
      ["light", 0],
      ["dark", 1],
    ] as const) {
      it(`${look}: has the contrast of WCAG AA in ${scheme} colours`, () => {
        const tokens = { ...own, ...marked, ...(look === first ? {} : lookTokens(look)) };
        const weak = PAIRS.flatMap(([front, back, least]) => {
          const ratio = contrast(colour(tokens, front, at), colour(tokens, back, at));
          return ratio >= least ? [] : [`${front} on ${back}: ${ratio.toFixed(2)} < ${least}`];
        });
        assert.deepEqual(weak, []);
      });
    }

  describe("in a page", () => {
    const pages = { "content/01.home/landing.md": "---\ntitle: Home\n---\nText.\n" };
    const links = (html: string): string[] =>
      [...html.matchAll(/<link rel="stylesheet" href="([^"?]+)/g)].map(([, path = ""]) => path);

    describe("with theme.look", () => {
      const site = useSite({
        files: { ...pages, "site.yaml": "title: T\ntheme: { look: book }\n" },
      });
      it("come after the style sheets of the theme, which has the file", async () => {
        const found = links(await (await site.fetch("/")).text());
        assert.equal(found.at(-1), "/themes/default/static/looks/book.css");
        assert.equal(found.length, 3);
        const file = await site.fetch(found.at(-1) ?? "");
        assert.equal(file.status, 200);
        assert.match(await file.text(), /--measure: 38rem/);
      });
    });

    for (const [name, yaml] of [
      ["without theme.look", "title: T\n"],
      ["with the first look", `title: T\ntheme: { look: ${first} }\n`],
    ] as const)
      describe(name, () => {
        const site = useSite({ files: { ...pages, "site.yaml": yaml } });
        it("are the theme alone", async () => {
          assert.equal(links(await (await site.fetch("/")).text()).length, 2);
        });
      });
  });
});

function lookTokens(look: string): Tokens {
  return tokensOf(`${FOLDER}/looks/${look}.css`);
}

/** The custom properties that the `:root` rules of a file declare. */
function tokensOf(file: string): Tokens {
  const rules = [...withoutComments(textOf(file)).matchAll(/(?:^|\})\s*:root \{([^{}]*)\}/g)];
  const declared = rules.flatMap(([, body = ""]) => [...body.matchAll(/--([\w-]+):([^;]+);/g)]);
  return Object.fromEntries(declared.map(([, name = "", value = ""]) => [name, value.trim()]));
}

function withoutComments(css: string): string {
  return css.replace(/\/\*[^]*?\*\//g, "");
}

/** The light (0) or dark (1) colour of a token, `#rrggbb`. */
function colour(tokens: Tokens, name: string, at: 0 | 1): string {
  const pair = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(tokens[name] ?? "");
  assert.ok(pair !== null, `--${name} is ${tokens[name]}: expected light-dark(#rrggbb, #rrggbb)`);
  return pair[at + 1] ?? "";
}

/** WCAG 2.2: the ratio of two relative luminances. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((one, two) => two - one);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
