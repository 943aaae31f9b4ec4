/** `site export`: writes a site for other systems. */
import type { Command } from "#kernel";
import { exitCode } from "#kernel/internal";
import { FORMATS } from "../names.js";

/** `site export <to> <out>` */
export const exportCommand: Command = {
  name: "export",
  summary: `write the site for other systems; to: ${FORMATS.join(", ")}`,
  arguments: "<to> <out>",
  options: [
    ["--route <below>", "only pages at or below this address"],
    ["--drafts", "unpublished pages too"],
    ["--gated", "pages for members too: every reader of the export sees them"],
    ["--json", "print the report as JSON"],
  ],
  // Servers start without the writers for other systems.
  run: async (input) => {
    const { runExport } = await import("./run-export.js");
    return exitCode(
      input,
      () => runExport(input),
      ({ exitCode: code = 1 }) => code,
    );
  },
};
