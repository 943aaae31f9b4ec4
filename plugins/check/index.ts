/**
 * Checks the content as a whole.
 */
import { definePlugin } from "#kernel";

export default definePlugin({ name: "check", version: "1.0.0", requires: ["content"] });
