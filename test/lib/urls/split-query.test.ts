import assert from "node:assert/strict";
import { passedOn, splitQuery } from "#lib/urls";

describe("splitQuery", () => {
  it("takes parameters out by name or beginning, and changes nothing else", () => {
    assert.deepEqual(splitQuery("a=1&utm_x=2&b=%20&gclid", ["utm_*", "gclid"]), {
      rest: "a=1&b=%20",
      dropped: "utm_x=2&gclid",
    });
    assert.deepEqual(splitQuery("%75tm_x=2&a+b=1", ["utm_*", "a b"]), {
      rest: "",
      dropped: "%75tm_x=2&a+b=1",
    });
    assert.deepEqual(splitQuery("%=1&a", ["a"]), { rest: "%=1", dropped: "a" });
    assert.deepEqual(splitQuery("", ["a"]), { rest: "", dropped: "" });
  });
});

describe("passedOn", () => {
  it("adds a query before the hash of an address of this site only", () => {
    assert.equal(passedOn("/a", "b=1"), "/a?b=1");
    assert.equal(passedOn("/a?c=2#d", "b=1"), "/a?c=2&b=1#d");
    assert.equal(passedOn("//evil.example/a", "b=1"), "//evil.example/a");
    assert.equal(passedOn("/a", ""), "/a");
  });
});
