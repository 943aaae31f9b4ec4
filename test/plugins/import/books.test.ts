import assert from "node:assert/strict";
import { PNG, withImported } from "../../support/sites/import-tree.js";

describe("site import mdbook", () => {
  it("brings the chapters of SUMMARY.md in their order, plain languages of code, and redirects", () =>
    withImported(
      {
        source: "mdbook",
        files: {
          "book.toml":
            '[book]\ntitle = "The Book"\nlanguage = "en"\nsrc = "src"\n\n[preprocessor.links]\n\n[output.html]\nsite-url = "https://old.example/book/"\nadditional-css = ["x.css"]\n\n[output.html.redirect]\n"/old.html" = "guide/first.html"\n"/guide/x.html" = "./first.html#part"\n',
          "theme/index.hbs": "x",
          "src/SUMMARY.md":
            "# Summary\n\n[Preface](README.md)\n\n# Part one\n\n- [The guide](guide/README.md)\n    - [First steps](guide/first.md)\n    - [With `code`](<guide/with space.md>)\n- [Not yet]()\n\n---\n\n[Appendix](appendix.md)\n",
          "src/README.md":
            "# Welcome\n\n[guide](guide/) [first](guide/first.html) ![P](img/p.png)\n",
          "src/guide/README.md": "# Guide\n\n[home](../README.md) [first](./first.md#part)\n",
          "src/guide/first.md":
            "# {{#title Other title}}First\n\n## Part\n\n```rust,ignore,does_not_compile\n# fn hidden() {}\nfn main() {\n    #[test]\n## not hidden\n# }\n}\n```\n\n```toml,hl\n# stays\n```\n\nText[^1] and {{#own thing}}. [print](../print.html)\n\n[^1]: Note.\n",
          "src/guide/with space.md": "# Space\n\n[abs](/book/appendix.html)\n",
          "src/appendix.md": "# Appendix\n",
          "src/unlisted.md": "# Unlisted\n",
          "src/img/p.png": PNG,
          "src/listings/main.rs": "fn main() {}\n",
        },
      },
      async ({ text, notes, routes, unresolved, answer, dead }) => {
        assert.match(
          await text("01.home/docs.md"),
          /^\[guide\]\(\/guide\) \[first\]\(\/guide\/first\) !\[P\]\(\/content-media/m,
        );
        const first = await text("02.guide/03.first/docs.md");
        assert.match(first, /^nav_title: First steps$/m);
        assert.match(first, /^```rust\nfn main\(\) \{\n {4}#\[test\]\n# not hidden\n\}\n```$/m);
        assert.match(first, /^```toml hl\n# stays\n```$/m);
        assert.match(first, /^\[\^1\]: Note\.$/m);
        assert.match(await text("05.appendix/docs.md"), /title: Appendix/);
        assert.ok(!routes.includes("/unlisted"));
        for (const expected of [
          /SUMMARY\.md: the chapter "Not yet" has no file/,
          /unlisted\.md: it is not in SUMMARY\.md/,
          /main\.rs: a file that pages include/,
          /book\.toml: the preprocessor links does not run/,
          /book\.toml: the setting output\.html\.additional-css has no counterpart/,
          /first\.md: .*\{\{#own\}\} stays as text/,
        ]) {
          assert.ok(
            notes.some((note) => expected.test(note)),
            `${expected}\n${notes.join("\n")}`,
          );
        }
        assert.equal(unresolved, 0, notes.join("\n"));
        assert.equal(await answer("/guide/first.html"), "301 /guide/first");
        assert.equal(await answer("/old.html"), "301 /guide/first");
        assert.equal(await answer("/guide/x.html"), "301 /guide/first");
        assert.equal(await answer("/print.html"), "301 /");
        assert.deepEqual(await dead(), []);
      },
    ));

  it("makes the first chapter of a book without README.md its home page", () =>
    withImported(
      {
        source: "mdbook",
        files: {
          "book.toml": '[book]\ntitle = "B"\n',
          "src/SUMMARY.md": "[Title](title-page.md)\n- [One](ch01.md)\n",
          "src/title-page.md": "# Title\n\n[one](ch01.html)\n",
          "src/ch01.md": "# One\n\n[title](title-page.md)\n",
        },
      },
      async ({ text, answer, dead }) => {
        assert.match(await text("01.home/docs.md"), /\[one\]\(\/ch01\)/);
        assert.match(await text("02.ch01/docs.md"), /\[title\]\(\/\)/);
        assert.equal(await answer("/title-page.html"), "301 /");
        assert.deepEqual(await dead(), []);
      },
    ));
});

describe("site import gitbook", () => {
  it("brings the pages of SUMMARY.md, hints, tabs, embeds, references and assets", () =>
    withImported(
      {
        source: "gitbook",
        files: {
          ".gitbook.yaml": "root: ./docs/\n\nredirects:\n  help: ./guide/first.md\n",
          "docs/.gitbook/assets/image (1).png": PNG,
          "docs/.gitbook/includes/part.md": "Part\n",
          "docs/SUMMARY.md":
            "# Table of contents\n\n* [Welcome](README.md)\n\n## Guide\n\n* [The guide](guide/README.md)\n  * [First](guide/first.md)\n",
          "docs/README.md":
            '---\ndescription: All of it\ncover: .gitbook/assets/image (1).png\ncoverY: 0\n---\n\n# Welcome\n\n{% hint style="danger" %}\nMind `{% hint %}`:\n\n```sh\nrun {% raw %}\n```\n{% endhint %}\n\n{% content-ref url="guide/first.md" %}\n[first.md](guide/first.md)\n{% endcontent-ref %}\n\n<figure><img src=".gitbook/assets/image (1).png" alt="A"><figcaption><p>Caption</p></figcaption></figure>\n',
          "docs/guide/README.md": "# The guide\n\n[home](../) [part](first.md#own)\n",
          "docs/guide/first.md":
            '---\nhidden: true\n---\n# First\n\n## Part <a href="#own" id="own"></a>\n\n{% tabs %}\n{% tab title="npm" %}\n{% code title="a.sh" lineNumbers="true" %}\n```bash\nnpm i\n```\n{% endcode %}\n{% endtab %}\n\n{% tab title="yarn" %}\nUse yarn.\n{% endtab %}\n{% endtabs %}\n\n{% embed url="https://www.youtube.com/watch?v=aqz-KE-bpKQ" %}\n\n{% embed url="https://code.example/x" %}\n\n{% stepper %}\n{% step %}\n### One\n{% endstep %}\n{% endstepper %}\n\n{% swagger method="get" %}\n',
          "docs/lost.md": "# Lost\n",
        },
      },
      async ({ text, notes, unresolved, answer, dead }) => {
        const home = await text("01.home/docs.md");
        assert.match(
          home,
          /^::: danger\nMind `\{% hint %\}`:\n\n```sh\nrun \{% raw %\}\n```\n:::$/m,
        );
        assert.match(home, /^\[first\.md\]\(\/guide\/first\)$/m);
        assert.match(
          home,
          /<img src="\/content-media\/media\/docs\/gitbook\/assets\/image-1\.png" alt="A">/,
        );
        const first = await text("02.guide/03.first/docs.md");
        assert.match(first, /^hidden: true$/m);
        assert.match(first, /^## Part \{#own\}$/m);
        assert.match(
          first,
          /^:::: tabs\n::: tab npm\n```bash title="a\.sh" showLineNumbers\nnpm i\n```\n:::\n::: tab yarn\nUse yarn\.\n:::\n::::$/m,
        );
        assert.match(first, /^https:\/\/www\.youtube\.com\/watch\?v=aqz-KE-bpKQ$/m);
        assert.match(first, /^<https:\/\/code\.example\/x>$/m);
        assert.match(first, /^### One$/m);
        for (const expected of [
          /lost\.md: it is not in SUMMARY\.md/,
          /part\.md: a part of other pages/,
          /\{% swagger %\} stays as text/,
          /front matter "cover" has no counterpart/,
        ]) {
          assert.ok(
            notes.some((note) => expected.test(note)),
            `${expected}\n${notes.join("\n")}`,
          );
        }
        assert.equal(unresolved, 0, notes.join("\n"));
        assert.equal(await answer("/help"), "301 /guide/first");
        assert.deepEqual(await dead(), []);
      },
    ));

  it("reads addresses of SUMMARY.md from the top of the book, and {% page-ref %} as a link", () =>
    withImported(
      {
        source: "gitbook",
        files: {
          ".gitbook.yaml": "root: ./docs/\n",
          "docs/SUMMARY.md": "# Contents\n\n* [Start](/README.md)\n* [Deep](/9/deep.md)\n",
          "docs/README.md": '# Start\n\n{% page-ref page="9/deep.md" %}\n',
          "docs/9/deep.md": "# Deep\n\n[start](/README.md)\n",
        },
      },
      async ({ text, notes, unresolved, answer, dead }) => {
        assert.match(await text("01.home/docs.md"), /^\[9\/deep\.md\]\(\/9\/deep\)$/m);
        assert.equal(await answer("/9/deep"), "200");
        assert.doesNotMatch(notes.join("\n"), /SUMMARY\.md: no page|page-ref/);
        assert.equal(unresolved, 0, notes.join("\n"));
        assert.deepEqual(await dead(), []);
      },
    ));
});
