/** Error codes of background jobs: what each means, and the fix. */
export const jobErrors = {
  ERR_JOBS_DUPLICATE:
    "Two plugins define a job queue of the same name, or the name is invalid: rename the queue.",
  ERR_JOBS_UNKNOWN: "A job was added to a queue that no plugin defines: define it in `setup`.",
  ERR_JOBS_FULL: "Too many jobs of this queue are waiting (503): try again after `Retry-After`.",
  ERR_JOBS_NOT_FOUND: "No dead job has this id (404): list the dead jobs and use an id from there.",
} as const;
