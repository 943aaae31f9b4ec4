/** What others may know of tracing and metrics: their settings. */

/** Section `tracing` of system.yaml; when enabled, `endpoint` is there. */
export interface TracingSection {
  enabled: boolean;
  endpoint?: string | undefined;
  service_name: string;
  /** 0 to 1. */
  sample_rate: number;
}

declare module "#kernel" {
  interface SystemSettings {
    tracing: TracingSection;
    /** Without a token there is no `/metrics`. */
    metrics: { token?: string | undefined };
  }
}
