import type { Verdict } from "./changes.js";
import { failed } from "./failed.js";
import type { SiteFiles } from "./site-files.js";

/** `delete` of a file of a theme or of flex. */
export async function deleteFile(files: SiteFiles, path: string): Promise<Verdict> {
  const problem = await files.problem(path);
  if (problem !== null) return { status: "error", errors: [problem] };
  try {
    if ((await files.read(path)) === null) {
      return { status: "error", errors: [`there is no file ${JSON.stringify(path)}`] };
    }
    await files.put(path, null);
    return { status: "deleted" };
  } catch (error) {
    return failed(error);
  }
}
