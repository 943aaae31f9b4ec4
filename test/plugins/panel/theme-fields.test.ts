import assert from "node:assert/strict";
import { themeFields } from "../../../plugins/panel/client/screens/theme-settings.js";

describe("the form of a theme's settings", () => {
  it("has bounds, pattern, condition and requirement from config_schema", () => {
    const fields = {
      size: { type: "number", validate: { min: 1, max: 9 }, required: true },
      code: { type: "text", validate: { pattern: "[a-z]+" }, when: { size: [1, 2], look: "dark" } },
    };
    const theme = {
      name: "mine",
      version: "",
      description: "",
      parent: null,
      colors: [],
      looks: {},
      problem: null,
      fields,
    };
    assert.deepEqual(
      themeFields(theme).map(({ min, max, pattern, required, when }) => [
        min,
        max,
        pattern,
        required,
        when,
      ]),
      [
        [1, 9, null, true, null],
        [null, null, "[a-z]+", false, { size: [1, 2], look: ["dark"] }],
      ],
    );
  });
});
