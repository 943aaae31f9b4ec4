import assert from "node:assert/strict";
import { PNG, withImported } from "../../support/sites/import-tree.js";

describe("site import zola", () => {
  it("brings sections, posts, taxonomies, links, shortcodes and languages", () =>
    withImported(
      {
        source: "zola",
        languages: ["de"],
        files: {
          "config.toml":
            'base_url = "https://old.example/site"\ndefault_language = "en"\nodd = 1\n[languages.de]\ntitle = "Seite"\n',
          "templates/index.html": "x",
          "static/logo.png": PNG,
          "content/_index.md":
            '+++\ntitle = "Start"\n+++\n[blog](@/blog/_index.md) ![L](/logo.png)\n',
          "content/blog/_index.md":
            '+++\ntitle = "Blog"\nsort_by = "date"\ntransparent = true\n+++\n',
          "content/blog/2024-01-02-first.md":
            '+++\ntitle = "First"\naliases = ["/old/first/"]\nauthors = ["Ann Example"]\n[taxonomies]\ntags = ["sea", "sky"]\ncategories = ["news"]\n[extra]\nlevel = 3\n+++\nLead\n\n<!-- more -->\n\n[second](@/blog/second/index.md#part) [rel](../second/) [anchor](@/docs/Guide%20Two.md) [own](https://old.example/site/docs/guide-two/)\n\n{{ youtube(id="aqz-KE-bpKQ", autoplay=true) }}\n\n{% quote(author="Vincent") %}\nA quote with `code`\n\n```rust\nlet a = "{% end %}";\n```\n{% end %}\n\n{% note(title="Look") %}\nText\n{% end %}\n\n{{ figure(src="/logo.png", alt="Logo", caption="A logo") }} {{ odd(x=1) }} {{/* shown() */}}\n\n```rust,linenos,hl_lines=2 4-5,name=a.rs\na\n```\n\n```md\n[x](@/kept.md) {{ youtube(id="x") }}\n```\n',
          "content/blog/second/index.md":
            '+++\ntitle = "Second"\ndate = 2024-01-03T10:00:00Z\nupdated = 2024-02-01\ndraft = true\n+++\n## Part\n\n![P](pic.png)\n',
          "content/blog/second/pic.png": PNG,
          "content/docs/_index.md":
            '+++\ntitle = "Docs"\nsort_by = "weight"\nredirect_to = "/x"\n+++\n',
          "content/docs/Guide Two.md": '+++\ntitle = "Guide two"\nweight = 2\n+++\nText\n',
          "content/docs/path.md": '+++\ntitle = "Path"\npath = "elsewhere/here"\n+++\n[up](../)\n',
          "content/docs/path.de.md": '+++\ntitle = "Pfad"\n+++\nText\n',
          "content/notes/_index.md": "+++\nrender = false\n+++\n",
          "content/notes/note.md": '+++\ntitle = "Note"\nslug = "a-note"\n+++\nText\n',
        },
      },
      async ({ text, notes, unresolved, answer, dead }) => {
        assert.match(
          await text("01.home/default.md"),
          /^\[blog\]\(\/blog\) !\[L\]\(\/content-media\/media\/static\/logo\.png\)$/m,
        );
        assert.match(await text("blog/blog.md"), /title: Blog[^]*by: date/);
        const first = await text("blog/first/post.md");
        assert.match(first, /^date: 2024-01-02$/m);
        assert.match(first, /^author: Ann Example$/m);
        assert.match(
          first,
          /^taxonomy:\n {2}tag:\n {4}- sea\n {4}- sky\n {2}category:\n {4}- news$/m,
        );
        assert.match(first, /^custom:\n {2}level: 3$/m);
        assert.match(
          first,
          /^\[second\]\(\/blog\/second#part\) \[rel\]\(\/blog\/second\) \[anchor\]\(\/docs\/guide-two\) \[own\]\(\/docs\/guide-two\)$/m,
        );
        assert.match(first, /^https:\/\/www\.youtube\.com\/watch\?v=aqz-KE-bpKQ$/m);
        assert.match(
          first,
          /^> A quote with `code`\n>\n> ```rust\n> let a = "\{% end %\}";\n> ```\n>\n> — Vincent$/m,
        );
        assert.match(first, /^::: note Look\nText\n:::$/m);
        assert.match(
          first,
          /^!\[Logo\]\(\/content-media\/media\/static\/logo\.png "A logo"\) <!-- \{\{ odd\(x=1\) \}\} --> \\?\{\{ shown\(\) \}\}$/m,
        );
        assert.match(
          first,
          /^```rust showLineNumbers \{2,4-5\} title="a\.rs"$|^```rust showLineNumbers \{2,4-5\} title="a\.rs"\na$/m,
        );
        assert.match(first, /^```md\n\[x\]\(@\/kept\.md\) \{\{ youtube\(id="x"\) \}\}\n```$/m);
        assert.doesNotMatch(first, /more -->/);
        const second = await text("blog/second/post.md");
        assert.match(second, /^updated: 2024-02-01$/m);
        assert.match(second, /^status: draft$/m);
        assert.match(second, /^!\[P\]\(pic\.png\)$/m);
        assert.match(await text("docs/02.guide-two/default.md"), /title: Guide two/);
        assert.match(await text("elsewhere/here/default.de.md"), /title: Pfad/);
        for (const expected of [
          /config\.toml: the setting odd has no counterpart/,
          /templates\/index\.html: templates and styles have no counterpart/,
          /shortcode \{\{ odd\(\) \}\} stays as a comment/,
          /front matter "transparent" has no counterpart/,
          /front matter "redirect_to" has no counterpart/,
          /notes\/_index\.md: a section that is not rendered/,
        ]) {
          assert.ok(
            notes.some((note) => expected.test(note)),
            `${expected}\n${notes.join("\n")}`,
          );
        }
        assert.equal(unresolved, 0, notes.join("\n"));
        assert.equal(await answer("/old/first"), "301 /blog/first");
        assert.equal(await answer("/notes/a-note"), "200");
        // A draft has no address yet: its link is dead until it is published.
        assert.deepEqual(
          [...new Set((await dead()).map((link) => link.replace(/#.*$/, "")))],
          ["/blog/first: /blog/second"],
        );
      },
    ));
});
