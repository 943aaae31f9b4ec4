import assert from "node:assert/strict";
import { documentedClicks } from "../support/browsers/panel-clicks.js";

/** The jobs of the panel's journeys, which count the presses themselves. */
const JOBS = 34;

describe("the table of clicks in the docs of the panel", () => {
  it("has every job", () => {
    assert.equal(documentedClicks().length, JOBS);
  });

  it("has no count above those of Kirby and Ghost", () => {
    const higher = documentedClicks().filter(
      ({ sitewright, kirby, ghost }) => sitewright > Math.min(kirby ?? Infinity, ghost ?? Infinity),
    );
    assert.deepEqual(higher, []);
  });
});
