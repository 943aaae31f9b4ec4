import assert from "node:assert/strict";
import { PNG, withImported } from "../../support/sites/import-tree.js";

describe("site import nuxt", () => {
  it("brings numbered pages, settings of folders, and components of Markdown", () =>
    withImported(
      {
        source: "nuxt",
        files: {
          "nuxt.config.ts":
            "export default defineNuxtConfig({ modules: ['@nuxt/content'], site: { url: 'https://old.example' } })\n",
          "app.vue": "<template></template>\n",
          "public/logo.png": PNG,
          "content/index.md":
            '---\ntitle: Home\nseo: { title: x }\n---\n::u-page-hero\n---\nheadline: New\n---\n#title\nThe **framework**\n\n#description\nFast.\n::\n\n[guide](/getting-started/installation) ![Logo](/logo.png){width="20"}\n',
          "content/1.getting-started/.navigation.yml": "title: First steps\nicon: i-x\n",
          "content/1.getting-started/1.index.md":
            "---\ntitle: Introduction\n---\n[next](/getting-started/installation#usage-beta)\n",
          "content/1.getting-started/2.installation.md":
            '---\ntitle: Installation\nnavigation:\n  title: Install\n---\n::code-group\n```bash [npm]\nnpm i\n```\n```bash [yarn]\nyarn add\n```\n::\n\n```ts [nuxt.config.ts]{1-3}\n// ::callout\nexport default {}\n```\n\n::callout{icon="i-x" color="warning" to="/"}\nMind **this** `::tip`.\n::\n\n::tip\n---\ntitle: Small\n---\nText\n::\n\n::card-group\n  :::card{title="One" to="/guide/deep"}\n  First card.\n  :::\n\n  :::card\n  ---\n  title: Two\n  icon: i-y\n  ---\n  ```sh\n  run\n  ```\n  :::\n::\n\n::tabs\n  :::tabs-item{label="Code" icon="i-z"}\n  ```js\n  let a;\n  ```\n  :::\n  :::tabs-item{label="Text"}\n  Words\n  :::\n::\n\n::accordion\n:::accordion-item{label="Why?"}\nBecause.\n:::\n::\n\n::my-own{a=1}\nKept\n::\n\n## Usage :badge[beta]{color="red"}\n\nA [span]{.red} and **bold**{.x} at 12:30 :smile: {{ $doc.title }} {{ unknown }} :icon{name="i-x"} :kbd{value="meta"} :own-thing[kept]{a=1} `{{ code }}`.\n\n[home](/){target="_blank"}\n',
          "content/2.guide/1.deep.md":
            "---\nnavigation: false\n---\n# Deep\n\n[up](/getting-started)\n",
          "content/2.guide/data.yml": "a: 1\n",
          "content/2.guide/_part.md": "Part\n",
          "content/3.more/.navigation.yml": "title: More\nnavigation: { redirect: /guide/deep }\n",
        },
      },
      async ({ text, notes, unresolved, answer, dead }) => {
        const home = await text("01.home/docs.md");
        assert.match(home, /^The \*\*framework\*\*$/m);
        assert.match(home, /!\[Logo\]\(\/content-media\/media\/public\/logo\.png\)$/m);
        assert.match(await text("01.getting-started/docs.md"), /title: Introduction/);
        const install = await text("01.getting-started/02.installation/docs.md");
        assert.match(install, /^nav_title: Install$/m);
        assert.match(
          install,
          /^::: code-group\n```bash \[npm\]\nnpm i\n```\n```bash \[yarn\]\nyarn add\n```\n:::$/m,
        );
        assert.match(install, /^```ts title="nuxt\.config\.ts" \{1-3\}\n\/\/ ::callout$/m);
        assert.match(install, /^::: warning\nMind \*\*this\*\* `::tip`\.\n:::$/m);
        assert.match(install, /^::: tip Small\nText\n:::$/m);
        assert.match(install, /^\*\*\[One\]\(\/guide\/deep\)\*\*\n\nFirst card\.$/m);
        assert.match(install, /^\*\*Two\*\*\n\n```sh\nrun\n```$/m);
        assert.match(
          install,
          /^:::: tabs\n::: tab Code\n```js\nlet a;\n```\n:::\n::: tab Text\nWords\n:::\n::::$/m,
        );
        assert.match(install, /^::: details Why\?\nBecause\.\n:::$/m);
        assert.match(install, /^Kept$/m);
        assert.match(
          install,
          /^A span and \*\*bold\*\* at 12:30 :smile: Installation \\\{\{ unknown \}\} +<kbd>meta<\/kbd> kept `\{\{ code \}\}`\.$/m,
        );
        assert.match(install, /^\[home\]\(\/\)$/m);
        assert.match(await text("02.guide/01.deep/docs.md"), /^visible: false$/m);
        for (const expected of [
          /component ::u-page-hero was left out/,
          /component ::my-own was left out, its content stays/,
          /component :own-thing was left out, its text stays/,
          /the value \{\{ unknown \}\} stays as text/,
          /data\.yml: a data file/,
          /_part\.md: a part of other pages/,
          /front matter "seo" has no counterpart/,
        ]) {
          assert.ok(
            notes.some((note) => expected.test(note)),
            `${expected}\n${notes.join("\n")}`,
          );
        }
        assert.equal(unresolved, 0, notes.join("\n"));
        assert.equal(await answer("/more"), "301 /guide/deep");
        assert.deepEqual(await dead(), []);
      },
    ));
});
