import assert from "node:assert/strict";
import { parseCodeInfo } from "../../../../plugins/markdown/syntax/code-info.js";
import { renderSyntax } from "../../../support/content/render-markdown.js";

describe("code blocks", () => {
  it("reads what documentation tools write after the language", () => {
    const cases: readonly (readonly [string, string | null, object])[] = [
      [
        "ts",
        'title="a.ts" {2,4-6} showLineNumbers',
        {
          title: "a.ts",
          firstNumber: 1,
          marked: [
            [2, 2],
            [4, 6],
          ],
        },
      ],
      [
        "js{1,3-4}",
        null,
        {
          lang: "js",
          marked: [
            [1, 1],
            [3, 4],
          ],
        },
      ],
      ["ts:line-numbers=5", "{1}", { lang: "ts", firstNumber: 5, marked: [[1, 1]] }],
      ["ts:no-line-numbers", null, { lang: "ts", firstNumber: null }],
      ["sh", "[npm]", { label: "npm", title: null }],
      ["JS", "twoslash", { lang: "js", title: null, label: null, marked: [] }],
      ["js", "{0,9-2,x}", { marked: [] }],
      ["{.python}", null, { lang: "python", title: null, marked: [] }],
      ["{.Python", '.numberLines file="a.py"}', { lang: "python", title: "a.py" }],
      ["{#id", ".python}", { lang: "python" }],
      [
        "{1,3}",
        null,
        {
          lang: "",
          marked: [
            [1, 1],
            [3, 3],
          ],
        },
      ],
    ];
    for (const [lang, meta, expected] of cases) {
      const info: object = parseCodeInfo(lang, meta);
      assert.deepEqual({ ...info, ...expected }, info, `${lang} ${meta}`);
    }
  });

  it("marks tokens with classes and without styles, which the policy refuses", async () => {
    const html = await renderSyntax("```js\nconst a = 'b'; // c\n```");
    assert.match(html, /<code class="language-js"><span class="tk-k">const<\/span>/);
    assert.match(html, /<span class="tk-s">'b'<\/span>/);
    assert.match(html, /<span class="tk-c">\/\/ c<\/span>\n<\/code>/);
    assert.doesNotMatch(html, /style=/);
  });

  for (const name of [
    "c++",
    "C++",
    "c#",
    "F#",
    "objective-c",
    "Objective-C++",
    "golang",
    "node",
    "rust,ignore",
    "{.python}",
  ]) {
    it(`colours ${name}`, async () => {
      const html = await renderSyntax(`\`\`\`${name}\nint x = 1; if (x) return 2; // let\n\`\`\``);
      assert.match(html, /<code[^>]*>[^]*class="tk-/);
    });
  }

  it("leaves code of unknown languages and without a language alone", async () => {
    assert.match(
      await renderSyntax("```nolang\na < b\n```"),
      /<code class="language-nolang">a &#x3C; b\n<\/code>/,
    );
    assert.match(await renderSyntax("```\nconst a\n```"), /<code>const a\n<\/code>/);
  });

  it("shows titles, line numbers and marked, added, removed and focused lines", async () => {
    const html = await renderSyntax(
      '```ts title="a.ts" {1} showLineNumbers\nlet a;\nlet b; // [!code ++]\nlet c; // [!code --]\nlet d; // [!code focus]\n```',
    );
    assert.match(
      html,
      /<figure class="code-block"><figcaption class="code-title">a\.ts<\/figcaption><pre aria-label="a\.ts"/,
    );
    assert.match(html, /class="line highlighted" data-line="1"/);
    assert.match(html, /class="line diff add" data-line="2"/);
    assert.match(html, /class="line diff remove" data-line="3"/);
    assert.match(html, /class="line focused" data-line="4"/);
    assert.doesNotMatch(html, /\[!code/);
  });

  it("keeps the source of a diagram for the browser", async () => {
    assert.match(
      await renderSyntax("```mermaid\ngraph TD\nA --> B\n```"),
      /<div class="diagram"><pre[^>]*><code class="language-mermaid">graph TD\nA --> B\n<\/code><\/pre><\/div>/,
    );
    assert.doesNotMatch(
      await renderSyntax("```mermaid\ngraph TD\n```", { switches: { mermaid: false } }),
      /diagram/,
    );
  });
});
