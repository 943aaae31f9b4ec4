/**
 * Describes the API: an OpenAPI 3.1 document generated from the declared routes, and a page that
 * shows it.
 * Provides: openapi
 * Uses: admin, content, flex
 */
import { definePlugin } from "#kernel";

export default definePlugin({
  name: "openapi",
  version: "1.0.0",
  description: "OpenAPI 3.1 description of the API",
  after: ["admin", "content", "flex"],
  async setup(site) {
    const { setUpOpenapi } = await import("./set-up.js");
    setUpOpenapi(site);
  },
});
