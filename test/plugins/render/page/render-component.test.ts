import assert from "node:assert/strict";
import { Component, h } from "preact";
import { useState } from "preact/hooks";
import { DocumentParts, MarkupCache } from "../../../../plugins/render/page/markup-cache.js";
import {
  completeDocument,
  completeMarked,
  renderComponent,
} from "../../../../plugins/render/page/render-html.js";
import { testCaches } from "../../../support/test-caches.js";

const scope = {};

const added = { head: "<link>", lang: "de", dir: "ltr" } as const;

describe("renderComponent", () => {
  it("renders a function with its props", async () => {
    const html = await renderComponent((props) => h("p", null, String(props["name"])), {
      name: "<b>",
    });
    assert.equal(html, "<p>&lt;b></p>");
  });

  it("renders a template with hooks at its top level", async () => {
    const Counter = () => h("p", null, useState(7)[0]);
    assert.equal(await renderComponent(Counter, {}), "<p>7</p>");
  });

  it("waits for an asynchronous template", async () => {
    const Later = async () => Promise.resolve(h("p", null, "later"));
    assert.equal(await renderComponent(Later as never, {}), "<p>later</p>");
  });

  it("renders a class", async () => {
    class Old extends Component<Record<string, unknown>> {
      override render() {
        return h("p", null, "old");
      }
    }
    assert.equal(await renderComponent(Old, {}), "<p>old</p>");
  });

  it("throws the errors of the template, also asynchronous ones", async () => {
    const fail = () => {
      throw new Error("broken");
    };
    await assert.rejects(renderComponent(fail, {}), /broken/);
    await assert.rejects(async () => renderComponent((async () => fail()) as never, {}), /broken/);
  });
});

describe("completeDocument", () => {
  it("adds doctype, language and head", () => {
    assert.equal(
      completeDocument("<html><head></head><body></body></html>", added),
      `<!doctype html><html lang="de"><head><link></head><body></body></html>`,
    );
  });

  it("adds the direction of right-to-left languages if the layout has none", () => {
    const html = completeDocument(`<html lang="ar"><head></head></html>`, { ...added, dir: "rtl" });
    assert.match(html, /<html lang="ar" dir="rtl">/);
  });

  it("does not change an existing head", () => {
    const html = completeDocument("<html><head><link></head></html>", added);
    assert.equal(html.match(/<link>/g)?.length, 1);
  });

  it("ignores tags in the text, which may quote them in attributes", () => {
    const body = `<html lang="en"><head></head><body><img alt="<html x></head>"></body></html>`;
    assert.ok(completeDocument(body, added).includes(`<img alt="<html x></head>">`));
  });
});

describe("completeMarked", () => {
  const added = { head: '<link rel="canonical" href="/x">', lang: "de", dir: "rtl" } as const;
  const inner = `<title>T</title>${"<meta>".repeat(100)}`;
  const documents = {
    "the inside of the head": ["<html><head>", inner, "</head><body>b</body></html>"],
    "the whole head": ["<html>", `<head>${inner}</head>`, "<body></head></body></html>"],
    "the start of the document": [
      "",
      `<html lang="en"><head>${inner}`,
      "</head><body>b</body></html>",
    ],
    "the body": ["<html><head></head>", `<body>${inner}</head></body>`, "</html>"],
    "a head with what is added": [
      "<html><head>",
      inner + added.head,
      "</head><body></body></html>",
    ],
    "a part of no document": ["<p>", inner, "</p>"],
  };
  for (const [what, [before = "", part = "", after = ""]] of Object.entries(documents)) {
    it(`equals completeDocument when ${what} is a part`, () => {
      const parts = new DocumentParts(new MarkupCache(testCaches()), scope);
      const marked = completeMarked(before + parts.mark(part) + after, added, parts);
      assert.equal(parts.text(marked), completeDocument(before + part + after, added));
    });
  }
});
