/** The page types and blocks of a site. */
import type { SiteContext } from "#kernel";
import type { Field, FieldKinds } from "#kernel/internal";
import type { BlockType, Blueprint, Blueprints, ContentProblem, PageEntry } from "../contract.js";
import { readBlueprintFiles, type BlueprintFile } from "./blueprint-files.js";
import { BlueprintProblems } from "./blueprint-problems.js";
import { readBlocks, readBlueprints } from "./read-blueprint.js";

/** Folder of page types, below the site root. */
export const BLUEPRINTS_FOLDER = "blueprints";
const BLOCKS_FOLDER = `${BLUEPRINTS_FOLDER}/blocks`;

/** Page types as their files describe them. */
export class SiteBlueprints implements Blueprints {
  readonly #site: Pick<SiteContext, "log" | "paths">;
  readonly #kinds: FieldKinds;
  #byTemplate: ReadonlyMap<string, Blueprint> = new Map();
  #blocks: readonly BlockType[] = [];
  #problems: readonly ContentProblem[] = [];
  /** Files by path, as last read without syntax error. */
  #files: ReadonlyMap<string, BlueprintFile> = new Map();
  #names: ReadonlySet<string> = new Set();
  #version = 0;

  constructor(site: Pick<SiteContext, "log" | "paths">, kinds: FieldKinds) {
    this.#site = site;
    this.#kinds = kinds;
  }

  get version(): number {
    return this.#version;
  }

  get problems(): readonly ContentProblem[] {
    return this.#problems;
  }

  /** Names of templates with a file, even an invalid one: a mistake must not move pages. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  of(template: string): Blueprint | undefined {
    return this.#byTemplate.get(template);
  }

  list(): readonly Blueprint[] {
    return [...this.#byTemplate.values()];
  }

  blocks(): readonly BlockType[] {
    return this.#blocks;
  }

  violations(_entry: PageEntry): readonly ContentProblem[] {
    return [];
  }

  /** Reads the files. True when page types or blocks differ from before. */
  async read(): Promise<boolean> {
    const { root } = this.#site.paths;
    const pages = await readBlueprintFiles(root, BLUEPRINTS_FOLDER);
    const blocks = await readBlueprintFiles(root, BLOCKS_FOLDER);
    const problems = new BlueprintProblems();
    if (!pages.isListed || !blocks.isListed) {
      this.#report([...pages.problems, ...blocks.problems]);
      return false;
    }
    const pageFiles = pages.files.map((file) => this.#lastGood(file));
    const blockFiles = blocks.files.map((file) => this.#lastGood(file));
    const types = readBlocks(blockFiles, this.#kinds, problems);
    const blueprints = readBlueprints(pageFiles, this.#kinds, problems);
    const files = [...pageFiles, ...blockFiles];
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#report([...pages.problems, ...blocks.problems, ...problems.list]);
    return this.#take(blueprints, types, new Set(pages.files.map(({ name }) => name)));
  }

  /** True when these differ from before. */
  #take(
    blueprints: readonly Blueprint[],
    types: readonly BlockType[],
    names: ReadonlySet<string>,
  ): boolean {
    const before = JSON.stringify([this.#blocks, this.list(), [...this.#names]]);
    if (before === JSON.stringify([types, blueprints, [...names]])) return false;
    const fields = types.map(({ name, fields: own }): [string, readonly Field[]] => [name, own]);
    this.#kinds.setBlocks(new Map(fields));
    this.#blocks = types;
    this.#byTemplate = new Map(blueprints.map((blueprint) => [blueprint.name, blueprint]));
    this.#names = names;
    this.#version += 1;
    return true;
  }

  /** A file with a syntax error counts as it was before, so that saving half a file breaks nothing. */
  #lastGood(file: BlueprintFile): BlueprintFile {
    return file.source === null ? (this.#files.get(file.path) ?? file) : file;
  }

  #report(problems: readonly ContentProblem[]): void {
    const known = new Set(this.#problems.map((problem) => JSON.stringify(problem)));
    this.#problems = problems;
    for (const problem of problems) {
      if (known.has(JSON.stringify(problem))) continue;
      const { sourcePath: file, severity: _severity, ...rest } = problem;
      this.#site.log.warn("content.blueprint_problem", { file, ...rest });
    }
  }
}
