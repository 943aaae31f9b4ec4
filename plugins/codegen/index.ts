/**
 * Generates code for authors: types of this site, a client of its API, starter plugins and themes.
 * Uses: content, render, flex, openapi
 */
import { definePlugin } from "#kernel";
import { codegenErrors } from "./errors.js";

export default definePlugin({
  name: "codegen",
  version: "1.0.0",
  description: "Types and stubs for plugins and themes",
  after: ["content", "render", "flex", "openapi"],
  errors: codegenErrors,
  async commands() {
    const { codegen } = await import("./command.js");
    return [codegen];
  },
});
