import assert from "node:assert/strict";
import { PNG, withImported } from "../../support/sites/import-tree.js";

const CONFIG = `// @ts-check
import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
  site: 'https://old.example',
  base: '/docs',
  redirects: { '/old': '/guides/example', '/x/[slug]': '/y/[slug]' },
  integrations: [
    starlight({
      title: 'My docs',
      social: [{ icon: 'github', label: 'GitHub', href: 'https://code.example' }],
      locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch' } },
      sidebar: [{ label: 'Guides', items: ['guides/example'] }],
      components: makeComponents(),
    }),
  ],
});
`;

describe("site import starlight", () => {
  it("brings documents, collections, components, assets and languages of a site of Astro", () =>
    withImported(
      {
        source: "starlight",
        languages: ["de"],
        files: {
          "astro.config.mjs": CONFIG,
          "package.json": "{}",
          "src/content.config.ts": "export const collections = {};\n",
          "src/components/Own.astro": "<p></p>\n",
          "src/pages/about.astro": "<p></p>\n",
          "src/pages/plain.md": "---\ntitle: Plain\n---\n[example](/docs/guides/example/)\n",
          "src/assets/houston.png": PNG,
          "public/favicon.png": PNG,
          "src/content/docs/index.mdx":
            '---\ntitle: Welcome\ntemplate: splash\nhero:\n  tagline: Congratulations!\n  image: { file: ../../assets/houston.png }\n  actions:\n    - { text: Example, link: /docs/guides/example/, icon: right-arrow }\n---\nimport { Card, CardGrid, LinkCard } from \'@astrojs/starlight/components\';\n\n## Next steps\n\n<CardGrid stagger>\n\t<Card title="Update content" icon="pencil">\n\t\tEdit `index.mdx` to see this change.\n\t</Card>\n\t<LinkCard title="Example" href="/docs/guides/example/" description="How to" />\n</CardGrid>\n',
          "src/content/docs/guides/example.mdx":
            '---\ntitle: Example\ndescription: A guide.\nsidebar:\n  order: 2\n  label: Short\nlastUpdated: 2024-02-03\nprev: false\n---\nimport { Tabs, TabItem, Steps, Aside, FileTree, Code, Icon } from \'@astrojs/starlight/components\';\nimport Own from \'../../../components/Own.astro\';\n\n:::tip[Did you know?]\nText\n:::\n\n:::note\nPlain\n:::\n\n<Tabs syncKey="pkg">\n  <TabItem label="npm" icon="npm">\n\n  ```sh\n  npm i\n  ```\n\n  </TabItem>\n  <TabItem label="pnpm">Use pnpm.</TabItem>\n</Tabs>\n\n<Steps>\n\n1. Import it:\n\n   ```js\n   import { Steps } from \'x\';\n   ```\n\n2. Use it.\n\n</Steps>\n\n<Aside type="caution" title="Watch out!">\n\tCareful with `<Card>`.\n</Aside>\n\n<FileTree>\n\n- astro.config.mjs an **important** file\n- src\n  - components\n    - **Header.astro**\n  - …\n\n</FileTree>\n\n<Code code={`const a = 1;\nrun();`} lang="js" title="a.js" />\n\nAn <Icon name="star" /> and {1 + 1}. <Own x={1} />\n\n![Houston](../../../assets/houston.png) ![Alias](~/assets/houston.png) ![Fav](/docs/favicon.png)\n\n[ref](/docs/reference/) [rel](../../reference/) [plain](/docs/plain/) [home](/docs/)\n',
          "src/content/docs/reference/index.md":
            '---\ntitle: Reference\nsidebar: { hidden: true }\n---\n\n## API <a id="x"></a>\n\n[example](../guides/example/)\n',
          "src/content/docs/own.md": "---\ntitle: Own\nslug: deep/own-address\ndraft: true\n---\n",
          "src/content/docs/_part.mdx": "Part\n",
          "src/content/docs/de/guides/example.md":
            "---\ntitle: Beispiel\n---\n[Referenz](/docs/de/reference/)\n",
          "src/content/docs/de/reference/index.md": "---\ntitle: Referenz\n---\n",
          "src/content/blog/first-post.md":
            "---\ntitle: First\npubDate: 'Jul 08 2022'\nupdatedDate: 2023-01-02\nheroImage: ../../assets/houston.png\ntags: [a]\n---\n[second](/docs/blog/second/)\n",
          "src/content/blog/second.mdx": "---\ntitle: Second\npubDate: 2022-07-15\n---\nText\n",
          "src/content/authors/ann.md": "---\ntitle: Ann\n---\nWrites.\n",
        },
      },
      async ({ text, notes, unresolved, answer, dead }) => {
        const home = await text("01.home/landing.md");
        assert.match(home, /^hero:\n {2}title: Welcome\n {2}text: Congratulations!\n/m);
        assert.match(home, /url: \/guides\/example\n/);
        assert.match(home, /^image: \/content-media\/media\/src\/assets\/houston\.png$/m);
        assert.match(home, /^\*\*Update content\*\*\n\nEdit `index\.mdx` to see this change\.$/m);
        assert.match(home, /^\*\*\[Example\]\(\/guides\/example\)\*\*\n\nHow to$/m);
        const example = await text("guides/02.example/docs.md");
        assert.match(example, /^nav_title: Short$/m);
        assert.match(example, /^updated: 2024-02-03$/m);
        assert.match(example, /^::: tip Did you know\?\nText\n:::$/m);
        assert.match(
          example,
          /^:::: tabs\n::: tab npm\n```sh\nnpm i\n```\n:::\n::: tab pnpm\nUse pnpm\.\n:::\n::::$/m,
        );
        assert.match(
          example,
          /^1\. Import it:\n\n {3}```js\n {3}import \{ Steps \} from 'x';\n {3}```\n\n2\. Use it\.$/m,
        );
        assert.match(example, /^::: caution Watch out!\nCareful with `<Card>`\.\n:::$/m);
        assert.match(
          example,
          /^```text\nastro\.config\.mjs an important file\nsrc\n {2}components\n {4}Header\.astro\n {2}…\n```$/m,
        );
        assert.match(example, /^```js title="a\.js"\nconst a = 1;\nrun\(\);\n```$/m);
        assert.match(example, /!\[Alias\]\(\/content-media\/media\/src\/assets\/houston\.png\)/);
        assert.match(
          example,
          /\[ref\]\(\/reference\) \[rel\]\(\/reference\) \[plain\]\(\/plain\) \[home\]\(\/\)/,
        );
        assert.match(await text("reference/docs.md"), /^hidden: true$/m);
        assert.match(await text("deep/own-address/docs.md"), /^status: draft$/m);
        assert.match(await text("guides/02.example/docs.de.md"), /\[Referenz\]\(\/de\/reference\)/);
        const post = await text("90.blog/first-post/post.md");
        assert.match(post, /^date: 2022-07-08$/m);
        assert.match(post, /^updated: 2023-01-02$/m);
        assert.match(post, /^image: \/content-media\/media\/src\/assets\/houston\.png$/m);
        for (const expected of [
          /about\.astro: a page that a template makes \(\.astro\)/,
          /_part\.mdx: a part of other pages/,
          /example\.mdx: .*component <Own \/> was left out/,
          /example\.mdx: .*the expression \{1 \+ 1\} stays as text/,
          /example\.mdx: .*front matter "prev" has no counterpart/,
          /astro\.config\.mjs: the setting social has no counterpart/,
          /astro\.config\.mjs: the redirect from \/x\/\[slug\] has no counterpart/,
          /astro\.config\.mjs: integrations\[0\]\.components is computed/,
        ]) {
          assert.ok(
            notes.some((note) => expected.test(note)),
            `${expected}\n${notes.join("\n")}`,
          );
        }
        assert.equal(unresolved, 0, notes.join("\n"));
        assert.equal(await answer("/blog/second/"), "301 /blog/second");
        assert.equal(await answer("/old"), "301 /guides/example");
        assert.deepEqual(await dead(), []);
      },
    ));

  it("shows a fence right after a line of HTML as code", () =>
    withImported(
      {
        source: "starlight",
        files: {
          "astro.config.mjs": "export default {};\n",
          "src/content/docs/index.mdx":
            "---\ntitle: Home\n---\n\n1. One\n\n    <details>\n    <summary>Show</summary>\n    ```astro\n    <b>\n\n    <i>\n    ```\n    </details>\n",
        },
      },
      async ({ text }) => {
        const home = await text("01.home/docs.md");
        assert.match(
          home,
          /^ {4}<summary>Show<\/summary>\n\n {4}```astro\n {4}<b>\n\n {4}<i>\n {4}```\n/m,
        );
      },
    ));
});
