import { gravText } from "../../../plugins/import/sources/grav/grav-text.js";
import { hugoText } from "../../../plugins/import/sources/hugo/hugo-text.js";
import { kirbyText } from "../../../plugins/import/sources/files/kirby-text.js";
import { liquidText } from "../../../plugins/import/text/liquid-text.js";
import { mdxText } from "../../../plugins/import/text/mdx-text.js";
import { mkdocsText } from "../../../plugins/import/sources/mkdocs/mkdocs-text.js";
import { vueText } from "../../../plugins/import/sources/vitepress/vue-text.js";
import { scriptKeys } from "../../../plugins/import/sources/files/beside-content.js";
import { expandBlocks } from "../../../plugins/import/sources/wordpress/blocks.js";
import { findLeftovers } from "../../../plugins/import/text/leftovers.js";
import { readMatter } from "../../../plugins/import/sources/files/front-matter.js";
import {
  hasBlocks,
  withoutBlocks,
  withParagraphs,
  expandShortcodes,
} from "../../../plugins/import/sources/wordpress/post-html.js";
import { isDeepHtml, plainText } from "../../../plugins/import/text/html-to-markdown.js";
import { changeWikiLinks } from "../../../plugins/import/text/markdown-text.js";
import { outsideCode } from "../../../plugins/import/text/hidden-code.js";
import { assertLinear, REPEATED } from "../../support/growth.js";

const changes: Readonly<Record<string, (text: string) => unknown>> = {
  "shortcodes of WordPress": (text) => expandShortcodes(text, []),
  "blocks of WordPress": (text) => hasBlocks(text) || withoutBlocks(text),
  "paragraphs of WordPress": (text) => withParagraphs(text),
  "the depth of HTML": (text) => isDeepHtml(text),
  "tags of HTML": (text) => plainText(text),
  "shortcodes of Grav": (text) => gravText(text),
  "shortcodes of Hugo": (text) => hugoText(text, { params: [], refer: (target) => target }),
  "tags of Liquid": (text) => liquidText(text),
  "components of MDX": (text) => mdxText(text, "mdx"),
  "extensions of MkDocs": (text) => mkdocsText(text, { variables: null, hasReferences: true }),
  "values of Vue": (text) => vueText(text, {}),
  "tags of Kirby": (text) => kirbyText(text),
  "front matter": (text) => readMatter(`---\n${text}`),
  "wiki links": (text) => changeWikiLinks(text, () => null),
  leftovers: (text) => findLeftovers(text, "grav"),
  "reusable blocks": (text) =>
    expandBlocks(text, { reusable: () => undefined, footnotes: undefined }),
  "keys of scripts": (text) => scriptKeys(`module.exports = { ${text}`),
  code: (text) => outsideCode(text, (part) => part),
};

/** Openings without an end. */
const OPENINGS = [
  '<div markdown="1">\n',
  '[ui-tabs][ui-tab title="x"]',
  "[div]\n",
  "{{< tabs >}}{{< tab >}}",
  "> {: ",
  "<!-- {{ x }} -->",
  "<a x={",
  '<li v-for="x in y">',
  "<p v-pre>{{ x }}",
  "<my-editor>\n",
  "    ```\n",
  "![[a.base#",
];

describe("texts of importers", function () {
  this.timeout(300_000);
  for (const [name, change] of Object.entries(changes)) {
    it(`take linear time: ${name}`, () => {
      for (const part of [...REPEATED, ...OPENINGS])
        assertLinear(name, part, (text) => void change(text));
    });
  }
});
