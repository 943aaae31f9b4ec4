import assert from "node:assert/strict";
import { builtInTemplates, fillTemplate } from "../../../plugins/email/templates.js";

const VALUES: Record<string, Record<string, string>> = {
  "magic-link": { site: "<My> Site", link: "https://x.example/a?b=1&c=2", minutes: "15" },
};

describe("built-in mail templates", () => {
  for (const [name, template] of Object.entries(builtInTemplates)) {
    const filled = fillTemplate(template, VALUES[name] ?? {});

    it(`${name} has no unfilled placeholder`, () => {
      assert.ok(!JSON.stringify(filled).includes("{{"));
    });

    it(`${name} contains every value in text and HTML`, () => {
      for (const key of Object.keys(VALUES[name] ?? {})) {
        assert.ok(template.text.includes(`{{${key}}}`) && template.html.includes(`{{${key}}}`));
      }
    });

    it(`${name} loads no external resources`, () => {
      assert.ok(!/<(img|script|link|iframe)\b|\bsrc=|url\(|@import/i.test(template.html));
    });
  }

  it("contain the link in the text, and escaped in the HTML", () => {
    const template = builtInTemplates["magic-link"];
    assert.ok(template);
    const { text, html } = fillTemplate(template, VALUES["magic-link"] ?? {});
    assert.ok(text.includes("\nhttps://x.example/a?b=1&c=2\n"));
    assert.ok(html.includes('href="https://x.example/a?b=1&amp;c=2"'));
    assert.ok(!html.includes("<My>"));
  });
});
