/** A commit of the very bytes that a save has written, whatever has become of the files since. */
import { spawn } from "node:child_process";
import { relative, sep } from "node:path";

/** A file of a save: its absolute path and its bytes; null when the save has deleted it. */
export interface SavedFile {
  path: string;
  bytes: Buffer | null;
}
/** A file or folder that a save has moved, absolute paths; what git knows of it moves along. */
export interface MovedPath {
  from: string;
  to: string;
}
/** What a save has done, step by step. */
export type SavedStep = SavedFile | MovedPath;
/** What a commit says. */
export interface CommitText {
  message: string;
  author: { name: string; email: string };
  committer: { name: string; email: string };
  /** Unix seconds. */
  at: number;
}
/** Paths are from the top of the repository. `blob` null takes a path out. */
type Edit = { path: string; blob: string | null } | { from: string; path: string };
/** Where the commit goes. */
interface Place {
  root: string;
  /** Of the site within the repository. */
  prefix: string;
  /** The commit before; "" for none. */
  tip: string;
}

const LONGEST_MS = 60_000;

/**
 * Commits these steps on the branch that is checked out; false when git sees no difference, null when
 * no branch is (a detached head), or git does not know what was moved: somebody else has to decide
 * then. Nothing that is staged for other paths is touched, and no hook of the repository runs.
 */
export async function commitExactly(
  root: string,
  steps: readonly SavedStep[],
  text: CommitText,
): Promise<boolean | null> {
  const branch = (await git(root, ["symbolic-ref", "-q", "HEAD"]).catch(() => "")).trim();
  if (branch === "") return null;
  const prefix = (await git(root, ["rev-parse", "--show-prefix"])).trim();
  const tip = (await git(root, ["rev-parse", "-q", "--verify", "HEAD"]).catch(() => "")).trim();
  const edits = await editsOf({ root, prefix, tip }, steps);
  if (edits === null || edits.length === 0) return edits === null ? null : false;
  await git(
    root,
    ["fast-import", "--quiet", "--date-format=raw"],
    stream(branch, tip, { edits, text }),
  );
  // The index of these paths follows, so that nobody sees the reverse of the commit as staged.
  const touched = edits.flatMap((edit) => ("from" in edit ? [edit.from, edit.path] : [edit.path]));
  const paths = touched.map((path) => `:(top,literal)${path}`);
  await git(root, ["reset", "-q", "HEAD", "--", ...paths]);
  return true;
}

/** What has to change in the tree; null when something was moved that is not in it. */
async function editsOf(place: Place, steps: readonly SavedStep[]): Promise<Edit[] | null> {
  const edits: Edit[] = [];
  for (const step of steps) {
    if ("from" in step) {
      const [from, path] = [step.from, step.to].map((one) => place.prefix + inSite(place, one));
      if (from === undefined || path === undefined) return null;
      if (place.tip === "" || !(await isKnown(place, from))) return null;
      edits.push({ from, path });
    } else {
      const edit = await editOf(place, step, edits);
      if (edit !== null) edits.push(edit);
    }
  }
  return edits;
}

function inSite({ root }: Place, path: string): string {
  return relative(root, path).split(sep).join("/");
}

async function isKnown({ root, tip }: Place, path: string): Promise<boolean> {
  return (await git(root, ["ls-tree", "-z", "--full-tree", tip, "--", path])) !== "";
}

/** What has to change in the tree for one file; null when nothing has, or git ignores it. */
async function editOf(
  place: Place,
  { path: file, bytes }: SavedFile,
  before: readonly Edit[],
): Promise<Edit | null> {
  const { root, prefix, tip } = place;
  const inRoot = inSite(place, file);
  const path = prefix + inRoot;
  // What an earlier step has touched is not as the commit before has it.
  const isTouched = before.some((edit) => path === edit.path || path.startsWith(`${edit.path}/`));
  const known = tip === "" || isTouched ? null : await blobAt(root, tip, path);
  if (bytes === null) return known === null && !isTouched ? null : { path, blob: null };
  if (known === null && (await isIgnored(root, inRoot))) return null;
  // With the filters of .gitattributes for this path, as `git add` would.
  const blob = (
    await git(root, ["hash-object", "-w", `--path=${inRoot}`, "--stdin"], bytes)
  ).trim();
  return blob === known ? null : { path, blob };
}

async function blobAt(root: string, tip: string, path: string): Promise<string | null> {
  const listed = await git(root, ["ls-tree", "-z", "--full-tree", tip, "--", path]);
  return /^\d+ blob ([0-9a-f]+)\t/.exec(listed)?.[1] ?? null;
}

async function isIgnored(root: string, path: string): Promise<boolean> {
  return git(root, ["check-ignore", "-q", "--", `./${path}`]).then(
    () => true,
    () => false,
  );
}

/** The commit in the format of git-fast-import(1). */
function stream(
  branch: string,
  tip: string,
  { edits, text }: { edits: readonly Edit[]; text: CommitText },
): Buffer {
  const { message, author, committer, at } = text;
  const who = ({ name, email }: CommitText["author"]): string => `${name} <${email}> ${at} +0000`;
  const lines = [
    `commit ${branch}`,
    `author ${who(author)}`,
    `committer ${who(committer)}`,
    `data ${Buffer.byteLength(message)}`,
    message,
    ...(tip === "" ? [] : [`from ${tip}`]),
    ...edits.map(lineOf),
    "",
  ];
  return Buffer.from(lines.join("\n"));
}

function lineOf(edit: Edit): string {
  const path = quoted(edit.path);
  if ("from" in edit) return `R ${quoted(edit.from)} ${path}`;
  return edit.blob === null ? `D ${path}` : `M 100644 ${edit.blob} ${path}`;
}

function quoted(path: string): string {
  const escaped = path.replace(/["\\]/g, (mark) => `\\${mark}`).replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

/** What git prints; rejects with its first line of complaint. */
function git(root: string, args: readonly string[], input: Buffer | string = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: root, timeout: LONGEST_MS };
    const child = spawn("git", ["-c", "core.quotePath=false", ...args], options);
    const [out, complaints]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) return resolve(Buffer.concat(out).toString());
      const said = Buffer.concat(complaints).toString().trim().split("\n")[0] ?? "";
      return reject(new Error(said === "" ? `git ${args[0] ?? ""} ended with ${code}` : said));
    });
    // A git that ends early closes its input; its exit code says why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
