import assert from "node:assert/strict";
import { PNG, withImported } from "../../support/sites/import-tree.js";

const INDEX = `<!DOCTYPE html>
<html><body><div id="app"></div>
<script>
  window.$docsify = {
    name: 'My docs',
    // where it is
    homepage: 'README.md',
    loadSidebar: true,
    coverpage: true,
    alias: { '/.*/_sidebar.md': '/_sidebar.md', '/changelog': '/more/log', '/x/(.*)': '/y/$1' },
    ga: 'UA-1',
    plugins: [function (hook) { hook.ready(function () {}) }],
  }
</script>
<script src="//cdn.jsdelivr.net/npm/docsify@4"></script>
</body></html>
`;

describe("site import docsify", () => {
  it("brings pages, the cover, notices, options of links and tabs", () =>
    withImported(
      {
        source: "docsify",
        files: {
          "README.md": "# Repository\n",
          "docs/index.html": INDEX,
          "docs/.nojekyll": "",
          "docs/_sidebar.md": "- [Home](/)\n- [Guide](guide/start.md)\n",
          "docs/_navbar.md": "- [En](/)\n",
          "docs/_coverpage.md":
            "![logo](_media/icon.png)\n\n# My docs <small>4.13</small>\n\n> A generator.\n\n- Simple\n\n[Code](https://code.example)\n[Start](#/guide/start?id=part)\n",
          "docs/_media/icon.png": PNG,
          "docs/_media/example.md": "> Included\n",
          "docs/README.md":
            "# Home {docsify-ignore}\n\n?> _TODO_ a tip\nwith two lines\n\n!> **Time** is money `!> code`\n\n> [!TIP] One line\n\n```md\n?> stays\n[a](b ':ignore')\n```\n\n[start](guide/start.md?id=part) [hash](#/guide/start?id=own) [ignored](/_media/icon.png ':ignore') [titled](guide/deep/ ':target=_blank A title') [here](?id=home) ![s](_media/icon.png ':size=50x100') ![p](_media/icon.png ':size=10%')\n\n[example](_media/example.md ':include')\n",
          "docs/guide/start.md":
            "# Start\n\n## Part <!-- {docsify-ignore} -->\n\n## Other :id=own\n\n[deep](guide/deep/README.md) [more](more/log) [rooted](/more/log.md) ![i](../_media/icon.png)\n\n<!-- tabs:start -->\n\n#### **English**\n\nHello!\n\n```sh\nrun\n```\n\n#### **French**\n\nBonjour!\n\n<!-- tabs:end -->\n",
          "docs/guide/deep/README.md": "# Deep\n\n[beside](other.md)\n",
          "docs/guide/deep/other.md": "# Other\n",
          "docs/more/log.md": "# Log\n",
        },
      },
      async ({ text, notes, unresolved, answer, dead }) => {
        const home = await text("01.home/landing.md");
        assert.match(
          home,
          /^hero:\n {2}title: My docs 4\.13\n {2}text: A generator\. Simple\n {2}actions:\n {4}- label: Code\n {6}url: https:\/\/code\.example\n {4}- label: Start\n {6}url: \/guide\/start#part$/m,
        );
        assert.match(home, /^::: tip\n_TODO_ a tip\nwith two lines\n:::$/m);
        assert.match(home, /^::: warning\n\*\*Time\*\* is money `!> code`\n:::$/m);
        assert.match(home, /^> \[!TIP\]\n> One line$/m);
        assert.match(home, /^```md\n\?> stays\n\[a\]\(b ':ignore'\)\n```$/m);
        assert.match(
          home,
          /^\[start\]\(\/guide\/start#part\) \[hash\]\(\/guide\/start#own\) \[ignored\]\(\/content-media\/media\/docs\/media\/icon\.png\) \[titled\]\(\/guide\/deep "A title"\) \[here\]\(#home\) <img src="\/content-media\/media\/docs\/media\/icon\.png" alt="s" width="50" height="100">/m,
        );
        assert.match(home, /^> Included$/m);
        const start = await text("guide/start/docs.md");
        assert.match(start, /^## Part$/m);
        assert.match(start, /^## Other \{#own\}$/m);
        assert.match(
          start,
          /^\[deep\]\(\/guide\/deep\) \[more\]\(\/more\/log\) \[rooted\]\(\/more\/log\) !\[i\]\(\/content-media/m,
        );
        assert.match(
          start,
          /^:::: tabs\n::: tab English\nHello!\n\n```sh\nrun\n```\n:::\n::: tab French\nBonjour!\n:::\n::::$/m,
        );
        assert.match(await text("guide/deep/docs.md"), /\[beside\]\(\/guide\/deep\/other\)/);
        for (const expected of [
          /_navbar\.md: a part around pages/,
          /index\.html: the alias \/x\/\(\.\*\) has no counterpart/,
          /index\.html: the setting ga has no counterpart/,
        ]) {
          assert.ok(
            notes.some((note) => expected.test(note)),
            `${expected}\n${notes.join("\n")}`,
          );
        }
        assert.equal(unresolved, 0, notes.join("\n"));
        assert.equal(await answer("/changelog"), "301 /more/log");
        assert.deepEqual(await dead(), []);
      },
    ));

  it("reads the cover and its background, notices at the end of tabs and spaced inclusions", () =>
    withImported(
      {
        source: "docsify",
        files: {
          "index.html": INDEX,
          "_coverpage.md":
            "# My docs\n\n> A guide to [docsify](https://docsify.example/)\n\n[Start](guide)\n\n![color](#eeefef)\n",
          "_media/example.js": "const one = 1;\n",
          "README.md": "# Home\n\n[example.js](_media/example.js ':include' )\n",
          "guide.md":
            "# Guide\n\n<!-- tabs:start -->\n\n#### **Shown**\n\n?> Mind\nthis.\n\n#### **Written**\n\n```md\n!> One\n\n?> Two\n```\n\n<!-- tabs:end -->\n",
        },
      },
      async ({ text, unresolved, notes, dead }) => {
        const home = await text("01.home/landing.md");
        assert.match(home, /^ {2}text: A guide to docsify$/m);
        assert.doesNotMatch(home, /eeefef/);
        assert.match(home, /^const one = 1;$/m);
        assert.match(home, /actions:\n {4}- label: Start\n {6}url: \/guide\n(?! {4}-)/);
        const guide = await text("guide/docs.md");
        assert.match(guide, /^::: tip\nMind\nthis\.\n:::\n:{3,}\n:{3,} tab Written$/m);
        assert.match(guide, /^```md\n!> One\n\n\?> Two\n```$/m);
        assert.equal(unresolved, 0, notes.join("\n"));
        assert.deepEqual(await dead(), []);
      },
    ));
});
