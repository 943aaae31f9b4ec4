/**
 * The development server, and commands for authors of plugins: hooks, plugins that break an address, tests.
 */
import { definePlugin, type ServeInput, type ToolInput } from "#kernel";

const JSON_OPTION = ["--json", "print JSON"] as const;
const TIMEOUT_OPTION = [
  "--timeout <seconds>",
  "time limit for startup and response (default: 30)",
] as const;
const OFF_OPTIONS = [
  ["--safe", "run only first-party plugins: no other plugin, no theme of the site"],
  ["--without <plugins>", "leave out these plugins (src or name), separated by commas"],
] as const;

export default definePlugin({
  name: "dev",
  version: "1.0.0",
  description: "The development server, and commands for authors of plugins",
  commands: [
    {
      name: "dev",
      summary: "serve the site, rebuild on file changes and reload the browser",
      run: async (input: ServeInput) =>
        (await import("./dev-server.js")).develop(await input.launch("dev")),
    },
    {
      name: "plugins:explain",
      summary:
        "list the plugins that handle a hook, in order and with the reason, or that add to an engine slot or extension list",
      arguments: "<hook-or-slot>",
      options: [JSON_OPTION],
      run: async (input: ToolInput) => (await import("./explain-hook.js")).explainHook(input),
    },
    {
      name: "plugins:bisect",
      summary: "find the plugin or theme that breaks an address of the site",
      arguments: "<url>",
      options: [
        JSON_OPTION,
        ["--expect <status>", "the expected status (default: any below 500)"],
        ["--contains <text>", "a text that the response should contain"],
        TIMEOUT_OPTION,
      ],
      run: async (input: ToolInput) => {
        const { assertStatus, bisectPlugins } = await import("./bisect-plugins.js");
        assertStatus(input.options["expect"]);
        return bisectPlugins(input);
      },
    },
    {
      name: "plugins:probe",
      summary: "start the site without some plugins and print the response of one address",
      arguments: "<url>",
      options: [JSON_OPTION, ...OFF_OPTIONS, TIMEOUT_OPTION],
      run: async (input: ToolInput) => (await import("./bisect-plugins.js")).probeSite(input),
    },
    {
      name: "plugins:test",
      summary: "run the tests of all or some of the site's plugins",
      arguments: "[names...]",
      run: async (input) => (await import("./test-plugins.js")).testPlugins(input),
    },
  ],
});
