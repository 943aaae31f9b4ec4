// Prints the compiler's errors for the files of a folder's tsconfig.json: node --import=tsx type-errors.ts <folder>
// Imported files of the repository are read but not checked: that takes a third of the time.
import { join } from "node:path";
import ts from "typescript";

const [folder = "."] = process.argv.slice(2);
const host = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic(diagnostic: ts.Diagnostic) {
    throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
  },
};
const config = ts.getParsedCommandLineOfConfigFile(join(folder, "tsconfig.json"), {}, host);
if (config === undefined) throw new Error(`${folder} has no tsconfig.json`);
const program = ts.createProgram(config.fileNames, config.options);
const named = new Set(config.fileNames);
const own = program.getSourceFiles().filter(({ fileName }) => named.has(fileName));
const found = [
  ...config.errors,
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...own.flatMap((file) => program.getSyntacticDiagnostics(file)),
  ...own.flatMap((file) => program.getSemanticDiagnostics(file)),
];
process.stdout.write(
  ts.formatDiagnostics(found, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  }),
);
process.exitCode = found.length === 0 && own.length > 0 ? 0 : 1;
