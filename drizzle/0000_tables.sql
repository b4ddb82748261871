CREATE TABLE `attachments` (
	`attachment_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`name` text NOT NULL,
	`mime` text NOT NULL,
	`size` integer NOT NULL,
	`is_image` integer NOT NULL,
	`created_at` real NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`session_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `attachments_session` ON `attachments` (`session_id`);--> statement-breakpoint
CREATE TABLE `events` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_id` text NOT NULL,
	`run_id` text,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`terminal` integer NOT NULL,
	`envelope` text NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`session_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`run_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `events_session` ON `events` (`session_id`,`position`);--> statement-breakpoint
CREATE TABLE `fence` (
	`id` integer PRIMARY KEY NOT NULL,
	`epoch` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency` (
	`route` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`status` integer NOT NULL,
	`answer` text NOT NULL,
	`created_at` real NOT NULL,
	PRIMARY KEY(`route`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_created` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `logins` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`created_at` real NOT NULL,
	`expires_at` real NOT NULL
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `owners` (
	`epoch` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`pid` integer NOT NULL,
	`pid_started` text NOT NULL,
	`started_at` real NOT NULL,
	`expires_at` real NOT NULL,
	`lost_at` real
);
--> statement-breakpoint
CREATE TABLE `projects` (
	`project_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`color` text,
	`created_at` real NOT NULL
);
--> statement-breakpoint
CREATE TABLE `queue_items` (
	`queue_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`mode` text NOT NULL,
	`source` text DEFAULT 'queue' NOT NULL,
	`message` text NOT NULL,
	`attachments` text DEFAULT '[]' NOT NULL,
	`created_at` real NOT NULL,
	`rank` real NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`session_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `queue_session` ON `queue_items` (`session_id`,`rank`);--> statement-breakpoint
CREATE TABLE `run_view_parts` (
	`run_id` text NOT NULL,
	`part` integer NOT NULL,
	`piece` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`run_id`, `part`, `piece`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`run_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `run_views` (
	`run_id` text PRIMARY KEY NOT NULL,
	`last_seq` integer NOT NULL,
	`view` text NOT NULL,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`run_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`run_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`source` text NOT NULL,
	`request` text NOT NULL,
	`owner_epoch` integer NOT NULL,
	`status` text NOT NULL,
	`terminal_state` text,
	`last_seq` integer NOT NULL,
	`pending_approval_id` text,
	`pending_clarify_id` text,
	`error` text,
	`result` text,
	`usage` text,
	`input_tokens` integer,
	`output_tokens` integer,
	`cost_usd` real,
	`rewind` integer,
	`started_at` real NOT NULL,
	`ended_at` real,
	`position` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`session_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `runs_session` ON `runs` (`session_id`,`position`);--> statement-breakpoint
CREATE INDEX `runs_owner` ON `runs` (`owner_epoch`,`status`);--> statement-breakpoint
CREATE TABLE `search_rows` (
	`row_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run_id` text NOT NULL,
	`session_id` text NOT NULL,
	`body` text NOT NULL,
	`created_at` real NOT NULL,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`run_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`session_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `search_run` ON `search_rows` (`run_id`);--> statement-breakpoint
CREATE INDEX `search_session` ON `search_rows` (`session_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`session_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`title_source` text NOT NULL,
	`profile` text NOT NULL,
	`project_id` text,
	`workspace` text NOT NULL,
	`provider` text,
	`model` text,
	`reasoning` text,
	`pinned` integer DEFAULT false NOT NULL,
	`archived` integer DEFAULT false NOT NULL,
	`yolo` integer DEFAULT false NOT NULL,
	`parent_session_id` text,
	`hidden` integer DEFAULT false NOT NULL,
	`created_at` real NOT NULL,
	`updated_at` real NOT NULL,
	`last_message_at` real,
	`preview` text,
	`log_seq` integer DEFAULT 0 NOT NULL,
	`seen_position` integer DEFAULT 0 NOT NULL,
	`goal` text,
	`queue_held` text,
	`approved_patterns` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `sessions_updated` ON `sessions` (`archived`,`hidden`,`updated_at`);--> statement-breakpoint
CREATE INDEX `sessions_project` ON `sessions` (`project_id`);--> statement-breakpoint
CREATE INDEX `sessions_profile` ON `sessions` (`profile`);--> statement-breakpoint
CREATE TABLE `tombstones` (
	`session_id` text PRIMARY KEY NOT NULL,
	`envelope` text NOT NULL,
	`deleted_at` real NOT NULL
);
