import assert from "node:assert/strict";
import { htmlToMarkdown } from "../../../plugins/import/text/html-to-markdown.js";
import { kirbyText } from "../../../plugins/import/sources/files/kirby-text.js";
import {
  lexicalToHtml,
  mobiledocToHtml,
} from "../../../plugins/import/sources/ghost/ghost-html.js";
import { expandShortcodes } from "../../../plugins/import/sources/wordpress/post-html.js";

const toMarkdown = async (html: string): Promise<string> =>
  (await htmlToMarkdown(html, (address) => address)).markdown;

const GALLERY = "::: gallery\n\n![One](a.jpg)\n![Two](b.jpg)\n\n:::\n";

describe("galleries and buttons of other systems", () => {
  it("are containers: a gallery of Ghost, with its caption below", async () => {
    const images = [
      { fileName: "a.jpg", src: "a.jpg", alt: "One" },
      { fileName: "b.jpg", src: "b.jpg", alt: "Two" },
    ];
    const card = { type: "gallery", images, caption: "In <b>May</b>" };
    const lexical = lexicalToHtml(JSON.stringify({ root: { children: [card] } }));
    assert.equal(await toMarkdown(lexical?.html ?? ""), `${GALLERY}\n_In **May**_\n`);
    const mobiledoc = JSON.stringify({
      cards: [["gallery", { images }]],
      sections: [[10, 0]],
    });
    assert.equal(await toMarkdown(mobiledocToHtml(mobiledoc)?.html ?? ""), GALLERY);
  });

  it("are containers: a button of Ghost", async () => {
    const card = { type: "button", buttonText: "Join us", buttonUrl: "https://a.example/join" };
    const lexical = lexicalToHtml(JSON.stringify({ root: { children: [card] } }));
    assert.equal(
      await toMarkdown(lexical?.html ?? ""),
      "::: buttons\n\n[Join us](https://a.example/join)\n\n:::\n",
    );
  });

  it("are containers: HTML that Ghost has rendered", async () => {
    const html =
      '<figure class="kg-card kg-gallery-card kg-width-wide"><div class="kg-gallery-container"><div class="kg-gallery-row"><div class="kg-gallery-image"><img src="a.jpg" alt="One"></div><div class="kg-gallery-image"><img src="b.jpg" alt="Two"></div></div></div><figcaption>In May</figcaption></figure>' +
      '<div class="kg-card kg-button-card kg-align-center"><a href="/join" class="kg-btn kg-btn-accent">Join us</a></div>';
    assert.equal(
      await toMarkdown(html),
      `${GALLERY}\n_In May_\n\n::: buttons\n\n[Join us](/join)\n\n:::\n`,
    );
  });

  it("are containers: blocks of WordPress, each picture with its own caption", async () => {
    const html =
      '<figure class="wp-block-gallery has-nested-images columns-2"><figure class="wp-block-image"><a href="a-large.jpg"><img src="a.jpg" alt="One"></a><figcaption>At sea</figcaption></figure>' +
      '<figure class="wp-block-image"><img src="b.jpg" alt="Two"></figure><figcaption>In May</figcaption></figure>' +
      '<div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="/a">A</a></div><div class="wp-block-button"><a class="wp-block-button__link" href="/b">Get <b>B</b></a></div></div>';
    assert.equal(
      await toMarkdown(html),
      '::: gallery\n\n[![One](a.jpg "At sea")](a-large.jpg)\n![Two](b.jpg)\n\n:::\n\n_In May_\n\n::: buttons\n\n[A](/a)\n[Get B](/b)\n\n:::\n',
    );
  });

  it("are containers: a gallery of WordPress by shortcode", async () => {
    const { html } = expandShortcodes('[gallery ids="3,4"]', []);
    assert.equal(await toMarkdown(html), "::: gallery\n\n![](id:3)\n![](id:4)\n\n:::\n");
  });

  it("are containers: a gallery of Kirby, in a text and as a block", async () => {
    const two = "::: gallery\n![](a.jpg)\n![](b.jpg)\n:::";
    assert.equal((await kirbyText("(gallery: a.jpg b.jpg)")).text.trim(), two);
    assert.equal((await kirbyText("(gallery: a.jpg)")).text.trim(), "![](a.jpg)");
    const block = [{ type: "gallery", content: { images: ["a.jpg", "b.jpg"] } }];
    assert.equal((await kirbyText(JSON.stringify(block))).text.trim(), two);
  });

  it("stay in the text with what they have besides pictures, or links", async () => {
    const table =
      '<figure class="wp-block-gallery"><img src="a.jpg" alt="One"><img src="b.jpg" alt="Two"><table><tr><td>x</td></tr></table></figure>';
    assert.doesNotMatch(await toMarkdown(table), /:::/);
    assert.match(await toMarkdown(table), /!\[One\]\(a\.jpg\)/);
    const words = '<div class="wp-block-buttons">Now: <a href="/a">A</a></div>';
    assert.equal(await toMarkdown(words), "Now: [A](/a)\n");
    const one = '<figure class="wp-block-gallery"><img src="a.jpg" alt="One"></figure>';
    assert.equal(await toMarkdown(one), "![One](a.jpg)\n");
  });
});
