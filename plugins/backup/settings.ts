import { z } from "zod";
import { isCronPattern } from "./schedule.js";

const schedule = z
  .string()
  .refine(isCronPattern, {
    error: "a cron pattern of five fields",
    params: { fix: 'write "minute hour day month weekday", for example "30 3 * * *"' },
  })
  .describe(
    "When the server makes backups: a cron pattern in `timezone`, such as `30 3 * * *`; without it, only `site backup` makes them",
  )
  .optional();

/** `backup` of system.yaml. */
export const backupSection = z
  .strictObject({
    schedule,
    folder: z
      .string()
      .min(1)
      .meta({ folder: "private", privileged: true })
      .describe(
        "Folder of the backups, in the site root or absolute; another disk or machine is safer",
      )
      .default(".dune/backups"),
    keep: z
      .int()
      .min(1)
      .max(10_000)
      .describe("Backups that stay in the folder: older ones are deleted after a scheduled backup")
      .default(14),
    exclude: z
      .array(z.string().min(1))
      .describe("Files and folders of the site root that backups leave out, as relative paths")
      .default([]),
  })
  .describe("Backups of the whole site")
  .prefault({});

export const settings = { system: z.object({ backup: backupSection }) };
