import assert from "node:assert/strict";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { KeptMarkup } from "../../../plugins/render/kept-markup.js";

describe("once", () => {
  const draw = (text: string, drawn: string[]) => () => {
    drawn.push(text);
    return h("p", { title: '"<' }, text);
  };

  it("draws the same markup as without it, and asks once for the same makings", () => {
    const { once } = new KeptMarkup();
    const drawn: string[] = [];
    const [nav, t] = [["a"], () => "t"];
    const show = () =>
      renderToString(
        h("div", null, [once("x", [nav, t, "en", null, 1], draw("a & b", drawn)), "!"]),
      );
    const expected = renderToString(h("div", null, [draw("a & b", [])(), "!"]));
    assert.deepEqual([show(), show()], [expected, expected]);
    assert.deepEqual(drawn, ["a & b"]);
  });

  for (const [what, by] of Object.entries({
    "another object with the same contents": [["a"], "en"],
    "another text": [[], "de"],
    "one making more": [[], "en", ""],
    "a text that looks like two": ['"\n"en'],
    "null in place of its name": ["null"],
  })) {
    it(`draws anew for ${what}`, () => {
      const { once } = new KeptMarkup();
      const drawn: string[] = [];
      for (const makings of [[[], "en"], [null], ["", "en"]]) once("x", makings, draw("first", []));
      assert.equal(
        renderToString(once("x", by, draw("second", drawn))),
        renderToString(draw("second", [])()),
      );
      assert.deepEqual(drawn, ["second"]);
    });
  }

  it("keeps parts of other names apart, and nothing where there is nothing", () => {
    const { once } = new KeptMarkup();
    const both = [once("a", [], () => h("i", null)), once("b", [], () => null)];
    assert.equal(renderToString(h("div", null, both)), "<div><i></i></div>");
  });

  it("keeps nothing of a part that fails", () => {
    const { once } = new KeptMarkup();
    const fail = () => {
      throw new Error("broken");
    };
    assert.throws(() => once("x", [1], fail), /broken/);
    assert.equal(renderToString(once("x", [1], () => h("b", null))), "<b></b>");
  });
});
