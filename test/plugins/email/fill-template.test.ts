import assert from "node:assert/strict";
import { fillTemplate } from "../../../plugins/email/fill-template.js";

const fill = (text: string, values: Record<string, string>) =>
  fillTemplate({ subject: text, text, html: text }, values);

describe("filled templates", () => {
  it("have the value wherever its key stands, with or without spaces", () => {
    const { subject, text, html } = fill("{{a}} {{ a }} {{\ta}}", { a: "x" });
    assert.deepEqual([subject, text, html], ["x x x", "x x x", "x x x"]);
  });

  it("values are escaped in HTML, in elements and attributes, and nowhere else", () => {
    const value = `<img src=x onerror="a('&')">`;
    const { text, html } = fill('<a title="{{site}}">{{site}}</a>', { site: value });
    assert.equal(text, `<a title="${value}">${value}</a>`);
    const escaped = "&lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt;";
    assert.equal(html, `<a title="${escaped}">${escaped}</a>`);
  });

  it("a value cannot break the subject into headers", () => {
    const { subject } = fill("Link for {{site}}", { site: "X\r\nBcc: evil@example.org\0" });
    assert.equal(subject, "Link for X Bcc: evil@example.org");
  });

  it("a value is not filled again", () => {
    const { text } = fill("{{a}} {{b}}", { a: "{{b}}", b: "secret" });
    assert.equal(text, "{{b}} secret");
    assert.equal(fill("{{a}}", { a: "$& $1 $'" }).text, "$& $1 $'");
  });

  for (const text of [
    "{{unknown}}",
    "{{constructor}}",
    "{{__proto__}}",
    "{{toString}}",
    "{{a.b}}",
    "{{1a}}",
    "{ {a} }",
    "{{a",
    "{{}}",
  ]) {
    it(`leaves ${text} as it is`, () => {
      assert.equal(fill(text, { a: "x" }).text, text);
    });
  }

  it("an empty value is a value", () => {
    assert.equal(fill("[{{a}}]", { a: "" }).html, "[]");
  });
});
