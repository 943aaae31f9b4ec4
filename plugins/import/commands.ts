/** `site import`, which moves a site of another system in, and `site export`, which writes the site for others. */
import { type Command, exitCode } from "#kernel";
import { SOURCES, FORMATS } from "./names.js";

/** `site import <from> <source>` */
export const importCommand: Command = {
  name: "import",
  summary: `import pages, media and more; from: ${SOURCES.join(", ")}`,
  arguments: "<from> <source>",
  options: [
    ["--type <name>", "flex type of the records, for csv and json"],
    ["--dry-run", "report what would be imported, write nothing"],
    ["--report <file>", "write the report as JSON to this file"],
    ["--no-media", "leave images and files where they are"],
    ["--allow-private", "download from hosts in private networks too"],
    ["--json", "print the report as JSON"],
  ],
  // Servers start without the readers of other systems.
  run: async (input) => {
    const { runImport } = await import("./run-import.js");
    return exitCode(
      input,
      () => runImport(input),
      ({ exitCode: code = 1 }) => code,
    );
  },
};

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
    const { runExport } = await import("./export/export-site.js");
    return exitCode(
      input,
      () => runExport(input),
      ({ exitCode: code = 1 }) => code,
    );
  },
};
