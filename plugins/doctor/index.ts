/**
 * Commands that examine a site: what is wrong with it and its machine, its configuration, codes of errors.
 */
import { definePlugin, type ToolInput } from "#kernel";

const JSON_OPTION = ["--json", "print JSON"] as const;
const ENV_OPTION = ["--env <mode>", "dev or production: the overlay to apply"] as const;

export default definePlugin({
  name: "doctor",
  version: "1.0.0",
  description: "Checks of the site, its configuration, its services and this machine",
  commands: [
    {
      name: "config:validate",
      summary: "check the configuration and print every problem",
      options: [JSON_OPTION, ENV_OPTION],
      run: async (input: ToolInput) => (await import("./commands.js")).validateConfig(input),
    },
    {
      name: "config:show",
      summary: "print the merged configuration with the source of each value, secrets masked",
      options: [JSON_OPTION, ENV_OPTION],
      run: async (input: ToolInput) => (await import("./commands.js")).showConfig(input),
    },
    {
      name: "schema:export",
      summary: "print the JSON Schema of a configuration file, or of blueprints",
      arguments: "[file]",
      options: [["--blueprints", "of front matter and blocks; [file]: only this blueprint"]],
      run: async (input: ToolInput) => (await import("./commands.js")).exportSchema(input),
    },
    {
      name: "errors:explain",
      summary: "explain an error code and its fix",
      arguments: "<code>",
      options: [JSON_OPTION],
      run: async (input: ToolInput) => (await import("./commands.js")).explainError(input),
    },
    {
      name: "doctor",
      summary: "check the site, its services and this machine; exit 1 when something is wrong",
      options: [
        JSON_OPTION,
        [
          "--fix",
          "apply the fixes that are safe: create folders, protect secrets, remove stale locks",
        ],
      ],
      run: async (input: ToolInput) => (await import("./doctor.js")).doctor(input),
    },
  ],
});
