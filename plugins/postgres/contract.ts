import type {} from "#kernel";

/** Section `jobs` of system.yaml. */
export interface JobsSection {
  engine: "files" | "postgres";
}

declare module "#kernel" {
  interface SystemSettings {
    jobs: JobsSection;
  }
}
