CREATE TABLE kit_schedules (
  -- Of the job.
  name     text NOT NULL,
  -- When it ticks: its cron and time zone. During a rolling change a job may have two.
  schedule text NOT NULL,
  -- The last tick that became a job, in epoch milliseconds, as all times here.
  tick_at  bigint,
  next_at  bigint NOT NULL,
  -- When an instance last said that it has the schedule.
  seen_at  bigint NOT NULL,
  -- The job of the last tick.
  job_id   text,
  PRIMARY KEY (name, schedule)
);
