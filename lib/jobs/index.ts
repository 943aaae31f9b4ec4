/** Background jobs as they are stored, and how an attempt fails. Runs in Node.js. */
export {
  JOB_ID,
  JobError,
  jobSchema,
  noDeadJob,
  parseJob,
  queueFull,
  type JobRecord,
  type JobState,
} from "./job-record.js";
