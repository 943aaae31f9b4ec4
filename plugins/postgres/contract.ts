import type {} from "#kernel";

/** Section `records` of system.yaml. */
export interface RecordsSection {
  store: "files" | "postgres";
}

declare module "#kernel" {
  interface SystemSettings {
    records: RecordsSection;
  }
}
