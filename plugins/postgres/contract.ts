import type {} from "#kernel";

/** Section `jobs` of system.yaml. */
export interface JobsSection {
  engine: "files" | "postgres";
}

/** Section `records` of system.yaml. */
export interface RecordsSection {
  store: "files" | "postgres";
}

declare module "#kernel" {
  interface SystemSettings {
    jobs: JobsSection;
    records: RecordsSection;
  }
}
