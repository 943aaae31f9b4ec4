import { z } from "zod";

const name = z.string().regex(/^[A-Za-z0-9_-]+$/);

const theme = z
  .strictObject({
    name: name
      .describe("Name of the active theme: a folder in `themes/`, or `default` of the package")
      .default("default"),
    src: z
      .string()
      .nullable()
      .describe("Package of the active theme: `npm:name@^1.2`, or `./path` inside the site root")
      .default(null),
    parent: name
      .nullable()
      .describe("Theme whose templates, assets and strings stand in for what this one lacks")
      .default(null),
    custom: z
      .record(z.string(), z.unknown())
      .describe("Settings of the theme, over the defaults of its `theme.yaml`")
      .default({}),
  })
  .describe("The look of the pages")
  .prefault({});

const themes = z
  .array(
    z.strictObject({
      name: name.describe("Name under which the theme can be chosen"),
      src: z.string().describe("`npm:name@^1.2`, or `./path` inside the site root"),
    }),
  )
  .describe("Further themes and where they come from")
  .default([]);

export const settings = { site: z.object({ theme, themes }) };
