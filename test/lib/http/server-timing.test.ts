import assert from "node:assert/strict";
import { RequestTimings, Timings } from "#lib/http";

describe("RequestTimings", () => {
  it("lists the total, then the slowest parts first, each part once", () => {
    const timings = new RequestTimings();
    timings.add("render", 2);
    timings.add("a.onApiResponse", 1);
    timings.add("a.onApiResponse", 4);
    assert.match(
      timings.header(),
      /^total;dur=[\d.]+, a\.onApiResponse;desc="a\.onApiResponse \(2x\)";dur=5\.00, render;desc="render";dur=2\.00$/,
    );
  });

  it("is a valid header for any names, of limited length", () => {
    const timings = new RequestTimings();
    for (let at = 0; at < 100; at += 1) timings.add(`ä"; x\r\n,${at}`, at);
    const header = timings.header();
    assert.doesNotMatch(header, /[\r\n]/);
    assert.equal(header.split("dur=").length - 1, 21);
  });
});

describe("Timings", () => {
  it("records for the current request only, until a promise settles", async () => {
    const timings = new Timings();
    const [one, two] = [new RequestTimings(), new RequestTimings()];
    timings.add("outside", 1);
    assert.equal(
      timings.time("outside", () => 1),
      1,
    );
    await new Promise<void>((resolve) => {
      timings.run(one, () => void timings.time("first", () => Promise.resolve()).then(resolve));
    });
    timings.run(two, () => timings.add("second", 1));
    assert.match(one.header(), /first;/);
    assert.doesNotMatch(one.header(), /second|outside/);
    assert.match(two.header(), /second;/);
  });
});
