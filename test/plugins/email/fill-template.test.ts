import assert from "node:assert/strict";
import { fillTemplate } from "../../../plugins/email/templates.js";

const fill = (text: string, values: Record<string, string>) =>
  fillTemplate({ subject: text, text, html: text }, values);

describe("filled templates", () => {
  it("contain the value for every placeholder, with or without spaces", () => {
    const { subject, text, html } = fill("{{a}} {{ a }} {{\ta}}", { a: "x" });
    assert.deepEqual([subject, text, html], ["x x x", "x x x", "x x x"]);
  });

  it("escape values in HTML elements and attributes only", () => {
    const value = `<img src=x onerror="a('&')">`;
    const { text, html } = fill('<a title="{{site}}">{{site}}</a>', { site: value });
    assert.equal(text, `<a title="${value}">${value}</a>`);
    const escaped = "&lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt;";
    assert.equal(html, `<a title="${escaped}">${escaped}</a>`);
  });

  it("cannot break the subject into headers", () => {
    const { subject } = fill("Link for {{site}}", { site: "X\r\nBcc: evil@example.org\0" });
    assert.equal(subject, "Link for X Bcc: evil@example.org");
  });

  it("do not fill values again", () => {
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
    it(`keep ${text} unchanged`, () => {
      assert.equal(fill(text, { a: "x" }).text, text);
    });
  }

  it("accept an empty value", () => {
    assert.equal(fill("[{{a}}]", { a: "" }).html, "[]");
  });
});
