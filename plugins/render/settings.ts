import { z } from "zod";
import type { Preset } from "./contract.js";

const name = z.string().regex(/^[A-Za-z0-9_-]+$/);

/** The purposes of a site, the default first. */
export const PRESETS = ["site", "docs", "blog", "portfolio"] as const satisfies readonly Preset[];

const theme = z
  .strictObject({
    name: name
      .describe("Name of the active theme: a folder in `themes/`, or `default` of the package")
      .default("default"),
    src: z
      .string()
      .nullable()
      .describe(
        "Package of the active theme: `npm:name@^1.2`, `file:./name.tgz`, `git+https://…#commit`, or `./path` inside the site root",
      )
      .meta({ privileged: true })
      .default(null),
    parent: name
      .nullable()
      .describe("Theme whose templates, assets and strings stand in for what this one lacks")
      .default(null),
    custom: z
      .record(z.string(), z.unknown())
      .describe("Settings of the theme, over the defaults of its `theme.yaml`")
      .default({}),
    preset: z
      .enum(PRESETS)
      .describe(
        "What the site is for: `docs` draws pages as documentation, with a sidebar of the whole tree; `blog` draws dated pages as articles; `portfolio` draws pages with a picture below other pages as projects",
      )
      .default("site"),
    look: name
      .nullable()
      .describe(
        "Look of the theme: type, colours, measure and density; null: the first of `looks` in its `theme.yaml`",
      )
      .default(null),
    edit_url: z
      .string()
      .regex(/^https?:\/\/.*\{path\}/, {
        error: "an address with `{path}`, such as https://example.com/edit/main/content/{path}",
      })
      .nullable()
      .describe("Address at which a page is edited; `{path}` is its file below the content folder")
      .default(null),
    last_change: z
      .boolean()
      .nullable()
      .describe("Shows when a page changed last, from git; null: with preset `docs`")
      .default(null),
    listings: z
      .boolean()
      .nullable()
      .describe(
        "Pages for terms, authors and years (`/tag/tea`, `/author/ines`, `/archive`); null: with presets `docs` and `blog`",
      )
      .default(null),
  })
  .describe("The look of the pages")
  .prefault({});

const themes = z
  .array(
    z.strictObject({
      name: name.describe("Name under which the theme can be chosen"),
      src: z
        .string()
        .describe(
          "`npm:name@^1.2`, `file:./name.tgz`, `git+https://…#commit`, or `./path` inside the site root",
        ),
    }),
  )
  .describe("Further themes and where they come from")
  .meta({ privileged: true })
  .default([]);

const versions = z
  .record(
    z.string(),
    z.string().regex(/^\/(?!\/)/, { error: "the route of a folder, such as /v1" }),
  )
  .describe("Versions of a documentation: title to folder, the latest first")
  .default({});

export const settings = { site: z.object({ theme, themes, versions }) };
