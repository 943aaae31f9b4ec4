import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { pageText, WORDS } from "./page-texts.js";
import type { Random } from "./random.js";

/** A folder under churn. */
export interface Churned {
  readonly random: Random;
  /** Absolute path of the content folder. */
  readonly content: string;
  /** Absolute path of a folder beside it, for files moved away. */
  readonly away: string;
}
/** A change of the files; it may fail as it would for a person. */
export type Operation = (churned: Churned) => void;

const FOLDERS = ["", "01.home", "02.blog", "02.blog/a", "02.blog/b", "03.docs", "03.docs/x", "p"];
const NAMES = ["default.md", "post.md", "a.md", "b.md", "default.de.md", "item.md"];

function newPath({ random }: Churned): string {
  return join(random.pick(FOLDERS), random.pick(NAMES));
}

function existing(churned: Churned): string[] {
  const found = readdirSync(churned.content, { recursive: true, withFileTypes: true });
  return found.map((item) => relative(churned.content, join(item.parentPath, item.name))).sort();
}

/** Absolute path of a file or folder that exists, links included. */
function some(churned: Churned, isWanted: (path: string) => boolean = () => true): string {
  const paths = existing(churned).map((path) => join(churned.content, path));
  return churned.random.pick(paths.filter(isWanted));
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

function put(file: string, data: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, data);
}

const write: Operation = (churned) => {
  put(join(churned.content, newPath(churned)), pageText(churned.random));
};

/** As editors save: a new file replaces the old one. */
const replace: Operation = (churned) => {
  const file = join(churned.content, newPath(churned));
  put(`${file}.tmp~`, pageText(churned.random));
  renameSync(`${file}.tmp~`, file);
};

const edit: Operation = (churned) => writeFileSync(some(churned, isFile), pageText(churned.random));

/** Other bytes, the same size and time. */
const editUnnoticed: Operation = ({ random, ...churned }) => {
  const file = some({ random, ...churned }, isFile);
  const { atime, mtime } = statSync(file);
  const text = readFileSync(file, "latin1");
  put(
    `${file}.tmp~`,
    Buffer.from(
      text.replace(/apple|quince/, (word) => word.toUpperCase()),
      "latin1",
    ),
  );
  utimesSync(`${file}.tmp~`, atime, mtime);
  renameSync(`${file}.tmp~`, file);
};

const halfWrite: Operation = (churned) => {
  const text = Buffer.from(pageText(churned.random));
  put(join(churned.content, newPath(churned)), text.subarray(0, churned.random.below(text.length)));
};

const remove: Operation = (churned) => rmSync(some(churned), { recursive: true });

const rename: Operation = (churned) => {
  const target = join(churned.content, newPath(churned));
  mkdirSync(dirname(target), { recursive: true });
  renameSync(some(churned), churned.random.chance(0.5) ? target : dirname(target));
};

const renameFolder: Operation = (churned) => {
  const target = join(churned.content, churned.random.pick(FOLDERS.slice(1)));
  renameSync(some(churned, isFolder), target);
};

const moveAway: Operation = (churned) => {
  rmSync(churned.away, { recursive: true, force: true });
  renameSync(some(churned), churned.away);
};

const moveBack: Operation = (churned) => {
  const target = join(churned.content, isFile(churned.away) ? newPath(churned) : "04.back");
  renameSync(churned.away, target);
};

const symlink: Operation = (churned) => {
  const link = join(churned.content, churned.random.pick(["link", "02.blog/link.md", "p/l"]));
  rmSync(link, { recursive: true, force: true });
  const target = churned.random.chance(0.8) ? some(churned) : join(churned.away, "..", "secret.md");
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), target), link);
};

const hardLink: Operation = (churned) => {
  const name = join(churned.content, newPath(churned));
  const target = some(churned, isFile);
  rmSync(name, { recursive: true, force: true });
  mkdirSync(dirname(name), { recursive: true });
  linkSync(target, name);
};

const fileToFolder: Operation = (churned) => {
  const file = some(churned, isFile);
  rmSync(file);
  put(join(file, "default.md"), pageText(churned.random));
};

const folderToFile: Operation = (churned) => {
  const folder = some(churned, isFolder);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, pageText(churned.random));
};

const touch: Operation = (churned) => {
  const time = 1_700_000_000 + churned.random.below(90_000_000);
  utimesSync(some(churned), time, time);
};

const changeMode: Operation = (churned) =>
  chmodSync(some(churned, isFile), churned.random.chance(0.5) ? 0o400 : 0o644);

const picture: Operation = (churned) => {
  const file = join(churned.content, churned.random.pick(FOLDERS), "pic.png");
  put(file, "x".repeat(1 + churned.random.below(50)));
  if (churned.random.chance(0.5)) put(`${file}.meta.yaml`, `alt: ${churned.random.pick(WORDS)}\n`);
};

const exchange: Operation = ({ content, away }) => {
  const next = `${away}.next`;
  cpSync(content, next, { recursive: true, verbatimSymlinks: true });
  renameSync(content, `${away}.old`);
  renameSync(next, content);
  rmSync(`${away}.old`, { recursive: true });
};

const deleteAndCopy: Operation = ({ content, away }) => {
  const next = `${away}.next`;
  cpSync(content, next, { recursive: true, verbatimSymlinks: true });
  rmSync(content, { recursive: true });
  cpSync(next, content, { recursive: true, verbatimSymlinks: true });
  rmSync(next, { recursive: true });
};

const awayAndBack: Operation = ({ content, away }) => {
  renameSync(content, `${away}.old`);
  renameSync(`${away}.old`, content);
};

/** The operations and their frequency. */
export const FILE_OPERATIONS: readonly (readonly [weight: number, operation: Operation])[] = [
  ...([
    [20, write],
    [10, replace],
    [20, edit],
    [3, editUnnoticed],
    [4, halfWrite],
  ] as const),
  ...([
    [7, remove],
    [6, rename],
    [4, renameFolder],
    [3, moveAway],
    [4, moveBack],
  ] as const),
  ...([
    [3, symlink],
    [3, hardLink],
    [2, fileToFolder],
    [2, folderToFile],
  ] as const),
  ...([
    [5, touch],
    [2, changeMode],
    [4, picture],
  ] as const),
  ...([
    [0.4, exchange],
    [0.4, deleteAndCopy],
    [0.4, awayAndBack],
  ] as const),
];
