BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006_waiting');
CREATE TABLE anchors (
	boot_no INTEGER NOT NULL, 
	boottime_ms BIGINT NOT NULL, 
	server_time BIGINT NOT NULL, 
	rtt_ms BIGINT NOT NULL, 
	CONSTRAINT pk_anchors PRIMARY KEY (boot_no, boottime_ms, server_time, rtt_ms)
);
INSERT INTO "anchors" VALUES(1,90000000,1795154400000,20);
INSERT INTO "anchors" VALUES(2,0,1795154400000,20);
CREATE TABLE audit_entries (
	company_id CHAR(36) NOT NULL, 
	no BIGINT NOT NULL, 
	id CHAR(36) NOT NULL, 
	at BIGINT NOT NULL, 
	actor CHAR(36), 
	action VARCHAR(60) NOT NULL, 
	subject VARCHAR(100), 
	"before" TEXT, 
	"after" TEXT, 
	hash BLOB NOT NULL, 
	CONSTRAINT pk_audit_entries PRIMARY KEY (company_id, no)
);
INSERT INTO "audit_entries" VALUES('01a20503-9122-7e09-a68a-d7d913780b96',1,'01a20503-914d-70ed-8523-375e746f2fbe',1795161600000,NULL,'company.created','01a20503-9122-7e09-a68a-d7d913780b96',NULL,'{"name":{"word":"34eed73226a4f58f77181df0c6ff3637ed3980a0a1d9f12a97655ea555a502cb"}}',X'CED3BBA4CB804DA1DAE33DC134E3D4E58F7ACD1FBE21216406A09D670C33970D');
INSERT INTO "audit_entries" VALUES('01a20503-9122-7e09-a68a-d7d913780b96',2,'01a20503-914d-7365-9ff0-20b1d863725e',1795161600000,NULL,'user.created','01a20503-9144-7cc7-a401-edd5d8824572',NULL,'{"protectedAs":"FOUNDER","role":"admin","username":{"word":"e96de962ce172e91658579e94065379d540bc523860afc78939e2a6f747aac34"}}',X'E85CBED91DC83B97C682C5E3BE772F0F68FA4D571A5A322384E90D4CA11FF6FC');
INSERT INTO "audit_entries" VALUES('01a20503-9122-7e09-a68a-d7d913780b96',3,'01a20503-9172-730e-9e3a-42f9831951ee',1795068000000,NULL,'company.created','01a20503-9161-781d-ae98-e95d44db1b03',NULL,'{"name":{"word":"7377e33e4e70c7969ee8cbaccec321f12d8786c05df917d698a4ce5b6ba1f6d8"}}',X'68889F9F8BC1BDFA224E826DF1E0D2D578037FED0EF7B731AACC6AB5608D6E1B');
INSERT INTO "audit_entries" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',1,'01a20503-9173-7342-8c37-dc1e6646db56',1795068000000,NULL,'company.created','01a20503-9161-781d-ae98-e95d44db1b03',NULL,'{"name":{"word":"01915e489dbad44b448f28cccc3c126d247251ccb26fb8af8cbf4f67a389083d"}}',X'AC5491555988E0365D865DBC1B06763AD2B02D812543B5B6F765E29622FB312F');
INSERT INTO "audit_entries" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',2,'01a20503-91a5-712a-9899-8fb41a6e821d',1795068000000,'01a20503-9144-7cc7-a401-edd5d8824572','device.assigned','01a20503-9189-7488-b313-5b999e07be40',NULL,'{"from":"2026-11-19T06:00:00.000Z"}',X'0140F428DE3B5AC60D92EC6BF3564FB3E27C7D9FA6150E62D2E96C58C9458F69');
INSERT INTO "audit_entries" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',3,'01a20503-91c3-7746-a7fb-2764af088931',1795197600000,'01a20503-9144-7cc7-a401-edd5d8824572','device.changed','01a20503-9189-7488-b313-5b999e07be40','{"name":{"word":"776cd3c120d67b156b01cd3ccba3ec2ea88acc095ecbf10ea29df940112a3d52"},"notes":{"word":"7e81e5aaa9fe0e53dceaaf87fe0dd2c754dd3cea5ce6ea22cf05a1bc61738d63"}}','{"name":{"word":"06bd7e60851a637adbc2df4160430c4584ca2e73cd2b048a33b13d61fadacea5"},"notes":{"word":"71f2f7c9e2c3fa8e65a1b55ea5b09bde54362c5ff1704a930f7944ea5e4a32bc"}}',X'DD19A4BD3BFCEAC3B614821ECF18A90CECEB0F15083EBD732CB96BD665CE16F9');
CREATE TABLE audit_words (
	company_id CHAR(36) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	about VARCHAR(100), 
	salt VARCHAR(64) NOT NULL, 
	word TEXT NOT NULL, 
	CONSTRAINT pk_audit_words PRIMARY KEY (company_id, id)
);
INSERT INTO "audit_words" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','34eed73226a4f58f77181df0c6ff3637ed3980a0a1d9f12a97655ea555a502cb','01a20503-9122-7e09-a68a-d7d913780b96','OjYj2jDCHbOje6tAUkJuq3HIzqJ-gQB2IABPIYVTAv0','Plattform');
INSERT INTO "audit_words" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','e96de962ce172e91658579e94065379d540bc523860afc78939e2a6f747aac34','01a20503-9144-7cc7-a401-edd5d8824572','TwxsVI0ZuiwDI4Yj-YBxSOZQz-mO8diikeRvkjdobXM','gründer');
INSERT INTO "audit_words" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','7377e33e4e70c7969ee8cbaccec321f12d8786c05df917d698a4ce5b6ba1f6d8','01a20503-9161-781d-ae98-e95d44db1b03','m3ma6aC2pW5bl529XrTAmbcd5ZsDox-jaah_EQBxBg8','Tischlerei Holzmann');
INSERT INTO "audit_words" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01915e489dbad44b448f28cccc3c126d247251ccb26fb8af8cbf4f67a389083d','01a20503-9161-781d-ae98-e95d44db1b03','p5rXT9G3aqjgjAUmtC7QhoZMdFAshu2jLNhx2Ow6YuY','Tischlerei Holzmann');
INSERT INTO "audit_words" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','776cd3c120d67b156b01cd3ccba3ec2ea88acc095ecbf10ea29df940112a3d52','01a20503-9189-7488-b313-5b999e07be40','Lm5O1sEJkR4a8RX0ziF4_ZzPZpgK5aUR5pwTSdDZPZA','');
INSERT INTO "audit_words" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','7e81e5aaa9fe0e53dceaaf87fe0dd2c754dd3cea5ce6ea22cf05a1bc61738d63','01a20503-9189-7488-b313-5b999e07be40','Rje2tLjCRI8XQIbXlHgg9UtPTyz_bXFmvGA4pFSOZeM','');
INSERT INTO "audit_words" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','06bd7e60851a637adbc2df4160430c4584ca2e73cd2b048a33b13d61fadacea5','01a20503-9189-7488-b313-5b999e07be40','lW32Xl3f_OSlUrw-P2CoH5zlPfdTDZlPFK5xM-ClzSE','Tor 1');
INSERT INTO "audit_words" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','71f2f7c9e2c3fa8e65a1b55ea5b09bde54362c5ff1704a930f7944ea5e4a32bc','01a20503-9189-7488-b313-5b999e07be40','_oiXUnlN4HPz9DgNMLPV5Ycp77iiiJhjpzfvyw0Z7VA','links');
CREATE TABLE batches (
	device_no INTEGER NOT NULL, 
	batch CHAR(36) NOT NULL, 
	received_at BIGINT NOT NULL, 
	digest CHAR(36) NOT NULL, 
	CONSTRAINT pk_batches PRIMARY KEY (device_no, batch)
);
INSERT INTO "batches" VALUES(1,'51431193-e6c3-4339-9a2b-8f1ff1fd42a2',1795197600000,'35868caf-1d4b-d641-ecb6-7d03d85c3299');
INSERT INTO "batches" VALUES(1,'38c0c8fd-8712-48bc-876f-3787b9d179e0',1795197600000,'83753887-bbb2-b70e-3234-f3ff56b37392');
INSERT INTO "batches" VALUES(1,'c2cd789a-3802-48a9-ad45-f23d3b1a11df',1795197600000,'8ff73949-84ff-d65e-80dd-0e833249a32b');
INSERT INTO "batches" VALUES(2,'73b7a490-f23b-4cc4-b417-4a672b5ebaa0',1795197600000,'b476b8ff-c530-6ac1-1bcc-9e5f9e48a65b');
INSERT INTO "batches" VALUES(1,'fe175330-a11d-459a-af97-8d8719999e3f',1795197600000,'04568f22-31b5-0201-4d75-d3e9315e96a9');
CREATE TABLE boots (
	no INTEGER NOT NULL, 
	device_no INTEGER NOT NULL, 
	boot CHAR(36) NOT NULL, 
	low_ms BIGINT, 
	high_ms BIGINT, 
	unsettled BOOLEAN NOT NULL, 
	CONSTRAINT pk_boots PRIMARY KEY (no)
);
INSERT INTO "boots" VALUES(1,1,'78e51061-7311-48a3-82ce-6f447ed4d57b',1795064399872,1795064400128,0);
INSERT INTO "boots" VALUES(2,2,'76b67451-80b6-4386-969c-803601a5ba50',NULL,NULL,1);
CREATE TABLE companies (
	id CHAR(36) NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	name_key VARCHAR(400) NOT NULL, 
	is_operator BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	closed_at BIGINT, 
	CONSTRAINT pk_companies PRIMARY KEY (id)
);
INSERT INTO "companies" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','Plattform','plattform',1,1795161600000,NULL);
INSERT INTO "companies" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','Tischlerei Holzmann','tischlerei holzmann',0,1795068000000,NULL);
CREATE TABLE company_features (
	company_id CHAR(36) NOT NULL, 
	feature VARCHAR(40) NOT NULL, 
	CONSTRAINT pk_company_features PRIMARY KEY (company_id, feature), 
	CONSTRAINT fk_company_features_company_id_companies FOREIGN KEY(company_id) REFERENCES companies (id)
);
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','absences');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','costs');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','data_view');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','devices');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','error_log');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','hours_config');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','manage_employees');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','monthly_mail');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','present');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','privacy');
INSERT INTO "company_features" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','schedule');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','absences');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','costs');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','data_view');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','devices');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','error_log');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','hours_config');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','manage_employees');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','monthly_mail');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','present');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','privacy');
INSERT INTO "company_features" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','schedule');
CREATE TABLE company_settings (
	company_id CHAR(36) NOT NULL, 
	setting VARCHAR(40) NOT NULL, 
	valid_from DATE NOT NULL, 
	value VARCHAR(200) NOT NULL, 
	set_at BIGINT NOT NULL, 
	set_by CHAR(36), 
	CONSTRAINT pk_company_settings PRIMARY KEY (company_id, setting, valid_from), 
	CONSTRAINT fk_company_settings_company_id_companies FOREIGN KEY(company_id) REFERENCES companies (id)
);
CREATE TABLE corrections (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	date DATE NOT NULL, 
	new_start BIGINT NOT NULL, 
	new_end BIGINT NOT NULL, 
	break_minutes INTEGER, 
	requested_at BIGINT NOT NULL, 
	decided_at BIGINT NOT NULL, 
	decided_by CHAR(36), 
	entry_id CHAR(36), 
	entry_at BIGINT, 
	CONSTRAINT pk_corrections PRIMARY KEY (company_id, id)
);
CREATE TABLE counters (
	kind VARCHAR(20) NOT NULL, 
	last BIGINT NOT NULL, 
	CONSTRAINT pk_counters PRIMARY KEY (kind)
);
INSERT INTO "counters" VALUES('tag',4);
INSERT INTO "counters" VALUES('person',3);
CREATE TABLE derivation_revisions (
	company_id CHAR(36) NOT NULL, 
	revision BIGINT NOT NULL, swept_to DATE, 
	CONSTRAINT pk_derivation_revisions PRIMARY KEY (company_id)
);
INSERT INTO "derivation_revisions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',3,NULL);
CREATE TABLE "device_assignments" (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	device_no INTEGER NOT NULL, 
	starts_at BIGINT NOT NULL, 
	ends_at BIGINT, 
	assigned_at BIGINT NOT NULL, 
	assigned_by CHAR(36), 
	name VARCHAR(100) NOT NULL, 
	notes VARCHAR(2000) NOT NULL, 
	CONSTRAINT pk_device_assignments PRIMARY KEY (company_id, id), 
	CONSTRAINT fk_device_assignments_device_no_devices FOREIGN KEY(device_no) REFERENCES devices (no), 
	CONSTRAINT fk_device_assignments_company_id_companies FOREIGN KEY(company_id) REFERENCES companies (id)
);
INSERT INTO "device_assignments" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-919e-7c25-80bd-946b54527e8a',1,1795068000000,NULL,1795068000000,'01a20503-9144-7cc7-a401-edd5d8824572','Tor 1','links');
CREATE TABLE device_beats (
	device_no INTEGER NOT NULL, 
	seen_at BIGINT NOT NULL, 
	boot CHAR(36) NOT NULL, 
	boottime_ms BIGINT NOT NULL, 
	wall VARCHAR(40) NOT NULL, 
	quality VARCHAR(10) NOT NULL, 
	ip VARCHAR(100) NOT NULL, 
	mac VARCHAR(100) NOT NULL, 
	profile VARCHAR(100) NOT NULL, 
	version VARCHAR(100) NOT NULL, 
	uptime_s BIGINT, 
	queue_depth BIGINT, 
	queue_oldest VARCHAR(40), 
	disk_free_mb BIGINT, 
	reader VARCHAR(10), 
	update_state VARCHAR(100), 
	update_version VARCHAR(100), 
	CONSTRAINT pk_device_beats PRIMARY KEY (device_no), 
	CONSTRAINT fk_device_beats_device_no_devices FOREIGN KEY(device_no) REFERENCES devices (no)
);
INSERT INTO "device_beats" VALUES(1,1795197600000,'78e51061-7311-48a3-82ce-6f447ed4d57b',133200000,'2026-11-20T18:00:00.000Z','ntp','192.168.178.41','b8:27:eb:00:00:01','core','1.0.0',10,0,NULL,1000,'ok',NULL,NULL);
CREATE TABLE device_boots (
	device_no INTEGER NOT NULL, 
	boot CHAR(36) NOT NULL, 
	first_seen_at BIGINT NOT NULL, 
	CONSTRAINT pk_device_boots PRIMARY KEY (device_no, boot), 
	CONSTRAINT fk_device_boots_device_no_devices FOREIGN KEY(device_no) REFERENCES devices (no)
);
INSERT INTO "device_boots" VALUES(1,'78e51061-7311-48a3-82ce-6f447ed4d57b',1795197600000);
CREATE TABLE device_leases (
	device_no INTEGER NOT NULL, 
	confirmed BIGINT NOT NULL, 
	confirmed_by CHAR(36), 
	pending BIGINT NOT NULL, 
	forked BOOLEAN NOT NULL, 
	replay_since BIGINT, 
	CONSTRAINT pk_device_leases PRIMARY KEY (device_no), 
	CONSTRAINT fk_device_leases_device_no_devices FOREIGN KEY(device_no) REFERENCES devices (no)
);
INSERT INTO "device_leases" VALUES(1,4,'fe175330-a11d-459a-af97-8d8719999e3f',5,0,NULL);
INSERT INTO "device_leases" VALUES(2,1,'73b7a490-f23b-4cc4-b417-4a672b5ebaa0',2,0,NULL);
CREATE TABLE device_logs (
	device_no INTEGER NOT NULL, 
	id CHAR(36) NOT NULL, 
	at BIGINT NOT NULL, 
	received_at BIGINT NOT NULL, 
	level VARCHAR(5) NOT NULL, 
	code VARCHAR(100) NOT NULL, 
	message VARCHAR(2000) NOT NULL, 
	meta TEXT, 
	CONSTRAINT pk_device_logs PRIMARY KEY (device_no, id), 
	CONSTRAINT fk_device_logs_device_no_devices FOREIGN KEY(device_no) REFERENCES devices (no)
);
CREATE TABLE devices (
	no INTEGER NOT NULL, 
	id CHAR(36) NOT NULL, 
	keyid VARCHAR(43) NOT NULL, 
	public_key BLOB NOT NULL, 
	claim_code VARCHAR(8) NOT NULL, 
	serial VARCHAR(100) NOT NULL, 
	hardware_id VARCHAR(100) NOT NULL, 
	mac VARCHAR(100) NOT NULL, 
	profile VARCHAR(100) NOT NULL, 
	version VARCHAR(100) NOT NULL, 
	label VARCHAR(100) NOT NULL, 
	label_notes VARCHAR(2000) NOT NULL, 
	channel VARCHAR(10) NOT NULL, 
	identity_conflict BOOLEAN NOT NULL, 
	enrolled_at BIGINT NOT NULL, 
	revoked_at BIGINT, 
	CONSTRAINT pk_devices PRIMARY KEY (no), 
	CONSTRAINT uq_devices_id UNIQUE (id), 
	CONSTRAINT uq_devices_keyid UNIQUE (keyid)
);
INSERT INTO "devices" VALUES(1,'01a20503-9189-7488-b313-5b999e07be40','KGpC7EVnmJLJNHfeFdry5TddnWsciQd1TWcbhgS38DU',X'917CC3F700754B6985C05862E1FA3CE3554B8E50887963D960FA754E745369BD','51N45V25','SW-T-1','hw-1','b8:27:eb:00:00:01','core','1.0.0','','','stable',0,1795068000000,NULL);
INSERT INTO "devices" VALUES(2,'01a20503-91f3-7134-b8b8-525acffe5ac0','hzg1Aoa1bt-UmDkcVcB5tx1av-OM2G1Ot4K7ChKGgT8',X'A4BC21609BD036042A1EBC3C6E0D8A51EEAAF8036C9EAC4AA361E6EAAB5726F6','GWW3A0M6','SW-T-9','hw-1','b8:27:eb:00:00:01','core','1.0.0','','','stable',0,1795197600000,NULL);
CREATE TABLE entries (
	company_id CHAR(36) NOT NULL, 
	person_no INTEGER NOT NULL, 
	date DATE NOT NULL, 
	id CHAR(36) NOT NULL, 
	start_at BIGINT, 
	end_at BIGINT, 
	device_no INTEGER, 
	start_minute SMALLINT, 
	end_minute SMALLINT, 
	raw_minutes INTEGER, 
	break_minutes SMALLINT, 
	flags SMALLINT NOT NULL, 
	is_correction BOOLEAN NOT NULL, 
	CONSTRAINT pk_entries PRIMARY KEY (company_id, person_no, date, id)
);
INSERT INTO "entries" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',2,'2026-11-20','01a1f78a-5300-7720-ae2d-b63f442e3d43',1795154400000,1795168800000,1,420,660,240,0,0,0);
INSERT INTO "entries" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',3,'2026-11-20','01a1f7a5-ca40-7cd4-a5d5-75303a902931',1795156200000,1795185000000,1,450,930,480,30,0,0);
INSERT INTO "entries" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',2,'2026-11-20','01a1f88f-3fe0-7e19-abef-59fe619699cf',1795171500000,1795186800000,1,705,960,255,0,0,0);
CREATE TABLE epochs (
	device_no INTEGER NOT NULL, 
	epoch CHAR(36) NOT NULL, 
	received TEXT NOT NULL, 
	gone TEXT NOT NULL, 
	last_seq BIGINT NOT NULL, 
	gaps BOOLEAN NOT NULL, 
	asked TEXT NOT NULL, 
	asked_at BIGINT, 
	successor CHAR(36), 
	CONSTRAINT pk_epochs PRIMARY KEY (device_no, epoch)
);
INSERT INTO "epochs" VALUES(1,'35bf992d-c9e9-4616-a12e-7696a6cecc1b','[[1,7]]','[]',0,0,'[]',NULL,NULL);
INSERT INTO "epochs" VALUES(2,'558298e2-14b0-44d7-9acd-8acde5f6db1d','[[1,1]]','[]',0,0,'[]',NULL,NULL);
CREATE TABLE installation (
	no SMALLINT NOT NULL, 
	server_id CHAR(36) NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_installation PRIMARY KEY (no)
);
INSERT INTO "installation" VALUES(1,'01a20503-918e-7a73-ae26-8dd3e8f132b9',1795068000000);
CREATE TABLE kept_answers (
	company_id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	"key" VARCHAR(200) NOT NULL, 
	digest BLOB NOT NULL, 
	created_at BIGINT NOT NULL, 
	status INTEGER, 
	media_type VARCHAR(100), 
	body BLOB, 
	CONSTRAINT pk_kept_answers PRIMARY KEY (company_id, user_id, "key")
);
CREATE TABLE login_counters (
	bucket BLOB NOT NULL, 
	failures INTEGER NOT NULL, 
	last_at BIGINT NOT NULL, 
	blocked_until BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, knocks INTEGER DEFAULT '0' NOT NULL, turn BLOB, 
	CONSTRAINT pk_login_counters PRIMARY KEY (bucket)
);
CREATE TABLE pending_logins (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	token_hash BLOB NOT NULL, 
	step VARCHAR(20) NOT NULL, 
	expires_at BIGINT NOT NULL, 
	email VARCHAR(254), 
	code_hash BLOB, 
	code_expires_at BIGINT, 
	attempts INTEGER NOT NULL, 
	mails INTEGER NOT NULL, 
	mailed_at BIGINT, 
	CONSTRAINT pk_pending_logins PRIMARY KEY (company_id, id), 
	CONSTRAINT fk_pending_logins_company_id_user_id_users FOREIGN KEY(company_id, user_id) REFERENCES users (company_id, id)
);
CREATE TABLE people_changes (
	company_id CHAR(36) NOT NULL, 
	changed_at BIGINT NOT NULL, 
	id CHAR(36) NOT NULL, 
	people TEXT NOT NULL, 
	CONSTRAINT pk_people_changes PRIMARY KEY (company_id, changed_at, id)
);
INSERT INTO "people_changes" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',1795068000000,'01a20503-916d-75aa-9370-69d9841a82f3','[1]');
INSERT INTO "people_changes" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',1795068000000,'01a20503-916f-76da-9cda-4b27e5752ad5','[2]');
INSERT INTO "people_changes" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',1795068000000,'01a20503-9171-721d-86ad-e333ae3433f8','[3]');
INSERT INTO "people_changes" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',1795197600000,'01a20503-91d8-7c9f-b962-9ab4b53c8620','[2,3]');
INSERT INTO "people_changes" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',1795197600000,'01a20503-91e5-7790-93b5-66652f49455b','[2]');
INSERT INTO "people_changes" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',1795197600000,'01a20503-91ee-7293-b19f-fa8137c4947c','[2]');
INSERT INTO "people_changes" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',1795197600000,'01a20503-9206-7afe-a3be-71712a515ded','[3]');
CREATE TABLE person_numbers (
	company_id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	no INTEGER NOT NULL, 
	CONSTRAINT pk_person_numbers PRIMARY KEY (company_id, user_id)
);
INSERT INTO "person_numbers" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-9162-7dcb-bd45-a0f3b27bb4ec',1);
INSERT INTO "person_numbers" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-916d-76f0-a57d-356361da9a12',2);
INSERT INTO "person_numbers" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-916f-777c-bf35-e7ac5a064316',3);
CREATE TABLE quarantined_stamps (
	device_no INTEGER NOT NULL, 
	digest BLOB NOT NULL, 
	id CHAR(36) NOT NULL, 
	stamp_id TEXT, 
	raw BLOB NOT NULL, 
	epoch CHAR(36) NOT NULL, 
	received_at BIGINT NOT NULL, 
	CONSTRAINT pk_quarantined_stamps PRIMARY KEY (device_no, digest)
);
CREATE TABLE receipts (
	digest BIGINT NOT NULL, 
	device_no INTEGER NOT NULL, 
	tag_no INTEGER, 
	id CHAR(36) NOT NULL, 
	CONSTRAINT pk_receipts PRIMARY KEY (id)
);
INSERT INTO "receipts" VALUES(-7471794021387656727,1,2,'01a1f78a-5300-7720-ae2d-b63f442e3d43');
INSERT INTO "receipts" VALUES(-8773462217114144788,1,3,'01a1f7a5-ca40-7cd4-a5d5-75303a902931');
INSERT INTO "receipts" VALUES(135357852251787721,1,4,'01a1f7c1-4180-7377-9b03-f53df8130c42');
INSERT INTO "receipts" VALUES(4921144428893637087,1,2,'01a1f866-0d00-78a9-bc1b-0512025b413f');
INSERT INTO "receipts" VALUES(-3338113146396826264,1,2,'01a1f88f-3fe0-7e19-abef-59fe619699cf');
INSERT INTO "receipts" VALUES(1368965732707074080,1,2,'01a1f978-b580-78d8-961f-f4a03bab6c39');
INSERT INTO "receipts" VALUES(-9140664476035139467,2,NULL,'01a1f7f8-3000-70a7-9841-db70ba6ace6c');
INSERT INTO "receipts" VALUES(-2996777352469667491,1,3,'01a1f95d-3e40-78e7-a91b-59d4ec148cb4');
CREATE TABLE recovery_codes (
	company_id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	code_hash BLOB NOT NULL, 
	CONSTRAINT pk_recovery_codes PRIMARY KEY (company_id, user_id, code_hash), 
	CONSTRAINT fk_recovery_codes_company_id_user_id_users FOREIGN KEY(company_id, user_id) REFERENCES users (company_id, id)
);
CREATE TABLE releases (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	device_no INTEGER NOT NULL, 
	starts_at BIGINT NOT NULL, 
	ends_at BIGINT NOT NULL, 
	released_at BIGINT NOT NULL, 
	released_by CHAR(36), 
	CONSTRAINT pk_releases PRIMARY KEY (company_id, id), 
	CONSTRAINT fk_releases_company_id_companies FOREIGN KEY(company_id) REFERENCES companies (id)
);
CREATE TABLE remembered_devices (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	token_hash BLOB NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	CONSTRAINT pk_remembered_devices PRIMARY KEY (company_id, id), 
	CONSTRAINT fk_remembered_devices_company_id_user_id_users FOREIGN KEY(company_id, user_id) REFERENCES users (company_id, id)
);
CREATE TABLE resolutions (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	stamp_id CHAR(36) NOT NULL, 
	action VARCHAR(10) NOT NULL, 
	taken_at BIGINT, 
	decided_at BIGINT NOT NULL, 
	decided_by CHAR(36), 
	CONSTRAINT pk_resolutions PRIMARY KEY (company_id, id)
);
CREATE TABLE second_factors (
	company_id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	email VARCHAR(254), 
	secret BLOB, 
	waiting_secret BLOB, 
	accepted_step BIGINT NOT NULL, 
	CONSTRAINT pk_second_factors PRIMARY KEY (company_id, user_id), 
	CONSTRAINT fk_second_factors_company_id_user_id_users FOREIGN KEY(company_id, user_id) REFERENCES users (company_id, id)
);
CREATE TABLE stamp_claims (
	id CHAR(36) NOT NULL, 
	device_no INTEGER NOT NULL, 
	digest BIGINT NOT NULL, 
	epoch CHAR(36) NOT NULL, 
	received_at BIGINT NOT NULL, 
	content TEXT NOT NULL, 
	CONSTRAINT pk_stamp_claims PRIMARY KEY (id, device_no, digest)
);
CREATE TABLE stamps (
	company_id CHAR(36) NOT NULL, 
	tag_no INTEGER NOT NULL, 
	stream_no INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	id CHAR(36) NOT NULL, 
	wall_ms BIGINT, 
	boottime_ms BIGINT NOT NULL, 
	seq BIGINT NOT NULL, 
	received_at BIGINT NOT NULL, 
	form SMALLINT NOT NULL, 
	standing SMALLINT NOT NULL, 
	waits BOOLEAN NOT NULL, 
	unsettled BOOLEAN NOT NULL, 
	via VARCHAR(64), 
	content TEXT, 
	CONSTRAINT pk_stamps PRIMARY KEY (company_id, tag_no, at, id)
);
INSERT INTO "stamps" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',3,1,1795156200000,'01a1f7a5-ca40-7cd4-a5d5-75303a902931',NULL,91800000,2,1795197600000,4,0,0,0,NULL,NULL);
INSERT INTO "stamps" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',2,1,1795154400000,'01a1f78a-5300-7720-ae2d-b63f442e3d43',NULL,90000000,1,1795197600000,4,0,0,0,NULL,NULL);
INSERT INTO "stamps" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',4,1,1795158000000,'01a1f7c1-4180-7377-9b03-f53df8130c42',NULL,93600000,5,1795197600000,4,8,1,0,NULL,NULL);
INSERT INTO "stamps" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',2,1,1795171500000,'01a1f88f-3fe0-7e19-abef-59fe619699cf',NULL,107100000,4,1795197600000,4,0,0,0,NULL,NULL);
INSERT INTO "stamps" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',2,1,1795168800000,'01a1f866-0d00-78a9-bc1b-0512025b413f',NULL,104400000,3,1795197600000,4,0,0,0,NULL,NULL);
INSERT INTO "stamps" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',2,1,1795186800000,'01a1f978-b580-78d8-961f-f4a03bab6c39',NULL,122400000,6,1795197600000,4,0,0,0,NULL,NULL);
INSERT INTO "stamps" VALUES('01a20503-9161-781d-ae98-e95d44db1b03',3,1,1795185000000,'01a1f95d-3e40-78e7-a91b-59d4ec148cb4',NULL,120600000,7,1795197600000,6,0,0,0,NULL,NULL);
CREATE TABLE stray_stamps (
	device_no INTEGER NOT NULL, 
	id CHAR(36) NOT NULL, 
	at BIGINT NOT NULL, 
	certain BOOLEAN NOT NULL, 
	boot_no INTEGER NOT NULL, 
	boottime_ms BIGINT NOT NULL, 
	epoch CHAR(36) NOT NULL, 
	received_at BIGINT NOT NULL, 
	content TEXT NOT NULL, 
	CONSTRAINT pk_stray_stamps PRIMARY KEY (device_no, id)
);
INSERT INTO "stray_stamps" VALUES(2,'01a1f7f8-3000-70a7-9841-db70ba6ace6c',1795154400000,1,2,0,'558298e2-14b0-44d7-9acd-8acde5f6db1d',1795197600000,'{"id":"01a1f7f8-3000-70a7-9841-db70ba6ace6c","seq":1,"assignment":null,"tag":"04A1B2C3","direction":"auto","wall":"2026-11-20T08:00:00.000Z","wall_ms":1795161600000,"boot":"76b67451-80b6-4386-969c-803601a5ba50","boottime_ms":0,"quality":"ntp","via":"reader","shown":null,"digest":-9140664476035139467}');
CREATE TABLE streams (
	no INTEGER NOT NULL, 
	device_no INTEGER NOT NULL, 
	boot_no INTEGER NOT NULL, 
	epoch CHAR(36) NOT NULL, 
	assignment_id CHAR(36), 
	CONSTRAINT pk_streams PRIMARY KEY (no)
);
INSERT INTO "streams" VALUES(1,1,1,'35bf992d-c9e9-4616-a12e-7696a6cecc1b','01a20503-919e-7c25-80bd-946b54527e8a');
CREATE TABLE tag_holdings (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	tag VARCHAR(64) NOT NULL, 
	held_from BIGINT, 
	held_until BIGINT, 
	CONSTRAINT pk_tag_holdings PRIMARY KEY (company_id, id), 
	CONSTRAINT fk_tag_holdings_company_id_user_id_users FOREIGN KEY(company_id, user_id) REFERENCES users (company_id, id)
);
INSERT INTO "tag_holdings" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-9167-7b98-863d-aabf9e705082','01a20503-9162-7dcb-bd45-a0f3b27bb4ec','04B05500',NULL,NULL);
INSERT INTO "tag_holdings" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-916e-7887-8ca4-59dd34be1d37','01a20503-916d-76f0-a57d-356361da9a12','04A1B2C3',NULL,NULL);
INSERT INTO "tag_holdings" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-9170-772a-b307-8f1c0e58304d','01a20503-916f-777c-bf35-e7ac5a064316','04D4E5F6',NULL,NULL);
CREATE TABLE tag_numbers (
	company_id CHAR(36) NOT NULL, 
	tag VARCHAR(64) NOT NULL, 
	no INTEGER NOT NULL, 
	CONSTRAINT pk_tag_numbers PRIMARY KEY (company_id, tag)
);
INSERT INTO "tag_numbers" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','04B05500',1);
INSERT INTO "tag_numbers" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','04A1B2C3',2);
INSERT INTO "tag_numbers" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','04D4E5F6',3);
INSERT INTO "tag_numbers" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','04FFFFFF',4);
CREATE TABLE tickets (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	session_id CHAR(36) NOT NULL, 
	ticket_hash BLOB NOT NULL, 
	path VARCHAR(500) NOT NULL, 
	expires_at BIGINT NOT NULL, 
	CONSTRAINT pk_tickets PRIMARY KEY (company_id, id)
);
CREATE TABLE users (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	username VARCHAR(100) NOT NULL, 
	username_key VARCHAR(200) NOT NULL, 
	password_hash VARCHAR(200) NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	protected_as VARCHAR(20), 
	is_locked BOOLEAN NOT NULL, 
	lock_token VARCHAR(64), 
	created_at BIGINT NOT NULL, 
	deleted_at BIGINT, reset_expires_at BIGINT, 
	CONSTRAINT pk_users PRIMARY KEY (company_id, id), 
	CONSTRAINT fk_users_company_id_companies FOREIGN KEY(company_id) REFERENCES companies (id)
);
INSERT INTO "users" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','01a20503-9144-7cc7-a401-edd5d8824572','gründer','gründer','$argon2id$v=19$m=19456,t=2,p=1$ZKAqhpsfwOSjZ/RPq7gXzw$L0ZdDklHaNOC6kIqCH5FCJ61t/vKTi7ZFgRL6eBWaD0','admin','FOUNDER',0,NULL,1795161600000,NULL,NULL);
INSERT INTO "users" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-9162-7dcb-bd45-a0f3b27bb4ec','chefin','chefin','$argon2id$v=19$m=19456,t=2,p=1$ZKAqhpsfwOSjZ/RPq7gXzw$L0ZdDklHaNOC6kIqCH5FCJ61t/vKTi7ZFgRL6eBWaD0','companyAdmin',NULL,0,NULL,1795068000000,NULL,NULL);
INSERT INTO "users" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-916d-76f0-a57d-356361da9a12','anna','anna','$argon2id$v=19$m=19456,t=2,p=1$ZKAqhpsfwOSjZ/RPq7gXzw$L0ZdDklHaNOC6kIqCH5FCJ61t/vKTi7ZFgRL6eBWaD0','user',NULL,0,NULL,1795068000000,NULL,NULL);
INSERT INTO "users" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-916f-777c-bf35-e7ac5a064316','ben','ben','$argon2id$v=19$m=19456,t=2,p=1$ZKAqhpsfwOSjZ/RPq7gXzw$L0ZdDklHaNOC6kIqCH5FCJ61t/vKTi7ZFgRL6eBWaD0','user',NULL,0,NULL,1795068000000,NULL,NULL);
CREATE TABLE voids (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	start_at BIGINT NOT NULL, 
	end_at BIGINT NOT NULL, 
	stamp_ids TEXT NOT NULL, 
	spared TEXT NOT NULL, 
	decided_at BIGINT NOT NULL, 
	decided_by CHAR(36), 
	CONSTRAINT pk_voids PRIMARY KEY (company_id, id)
);
CREATE TABLE web_sessions (
	company_id CHAR(36) NOT NULL, 
	id CHAR(36) NOT NULL, 
	user_id CHAR(36) NOT NULL, 
	token_hash BLOB NOT NULL, 
	created_at BIGINT NOT NULL, 
	last_seen_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	user_agent VARCHAR(200) NOT NULL, 
	CONSTRAINT pk_web_sessions PRIMARY KEY (company_id, id), 
	CONSTRAINT fk_web_sessions_company_id_user_id_users FOREIGN KEY(company_id, user_id) REFERENCES users (company_id, id)
);
INSERT INTO "web_sessions" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','01a20503-915c-74cc-9f97-01b6d2507985','01a20503-9144-7cc7-a401-edd5d8824572',X'6794EEBE3365CF11AF8148BD9AD7D0CD861566070E8B2AA75A877A7476AE5805',1795161600000,1795161600000,1795168800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-9174-775f-9669-50b32d01de45','01a20503-9162-7dcb-bd45-a0f3b27bb4ec',X'0A0894058BCD8F8DA67889485402C318FC56ED0A97891AF6B29C6A0765D69A6D',1795068000000,1795068000000,1795075200000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-9175-76cd-a5a5-17e9d8d5d250','01a20503-916d-76f0-a57d-356361da9a12',X'A4EE64C1DD4880C464863B47C44F86FC9C8F5AEB7C23738116649F249571011C',1795068000000,1795068000000,1795075200000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-9176-73f5-9d6e-5807bdd1b93a','01a20503-916f-777c-bf35-e7ac5a064316',X'55A2A4DD2BB6FF6F719C1E8C166C40403B4452F48FB6F5B80B26DDE264486D97',1795068000000,1795068000000,1795075200000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','01a20503-9191-7c4e-a3c8-205715c7fc20','01a20503-9144-7cc7-a401-edd5d8824572',X'F57FABBE540A94AC86238CF26671FD53EEFE9D3043A9AA80F5E74785587819B5',1795068000000,1795068000000,1795075200000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','01a20503-91b4-7363-b61f-a8914678a38e','01a20503-9144-7cc7-a401-edd5d8824572',X'C91017E6A38BBBDC240CE99A8FE0F19492ECE3C76F85D7938F7FFB681DAF0995',1795197600000,1795197600000,1795204800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-920f-736b-a981-434081e05ab9','01a20503-916d-76f0-a57d-356361da9a12',X'75196032C0AF6E87788CE40AD33EAEAA05013D6A89A3D4C73818337C31877EF3',1795197600000,1795197600000,1795204800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-921a-7821-93a4-d2f9e33ce666','01a20503-916f-777c-bf35-e7ac5a064316',X'24FDB55D9C9E844BD0101D33C17EEAE5CBBB85CA36373AE9D3A8B78B22AF1A2F',1795197600000,1795197600000,1795204800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-9224-760d-b5dd-8ebea80e6fd1','01a20503-9162-7dcb-bd45-a0f3b27bb4ec',X'7412925246ADF40BD0807E9885E3EF78BB1721A1C4E88A40CE8FE9EAA2066513',1795197600000,1795197600000,1795204800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','01a20503-9232-7eef-8e5e-3c0e2aa9203a','01a20503-9144-7cc7-a401-edd5d8824572',X'C20F362A9AB2B027FF922A1E3C4C3B3166279688060B5722A5F034CC65E77B82',1795197600000,1795197600000,1795204800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-9241-785b-b125-ac2d9f584070','01a20503-9162-7dcb-bd45-a0f3b27bb4ec',X'37A938E3F27FC5C44953D48C3834401704FA6FF44D55A72DE391847C43E56159',1795197600000,1795197600000,1795204800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-924e-7f45-9566-7a0a3e282724','01a20503-9162-7dcb-bd45-a0f3b27bb4ec',X'F79596B8529C46591B41B7F4056181A8852C32D7502A196BF621C3AB12C9C3CF',1795197600000,1795197600000,1795204800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9161-781d-ae98-e95d44db1b03','01a20503-925a-7720-b093-d8d29ddfcec0','01a20503-9162-7dcb-bd45-a0f3b27bb4ec',X'CBD907922BCD07E614C741A4DF535AE43ABC0A66233237E6C64C5DF1FA997C34',1795197600000,1795197600000,1795204800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','01a20503-926c-7dbf-8d90-5169847ac08b','01a20503-9144-7cc7-a401-edd5d8824572',X'82A61DD4A87FDE72507C8496A52869C875036D66419DCC5E339EEACF9982FCD4',1795197600000,1795197600000,1795204800000,'tests');
INSERT INTO "web_sessions" VALUES('01a20503-9122-7e09-a68a-d7d913780b96','01a20503-926f-7b6a-acdf-0309133b6db3','01a20503-9144-7cc7-a401-edd5d8824572',X'0CFEA293534FEA0F3D77567FEAF518A2A07813768ACF9B67E403B8FA534F6A72',1795197600000,1795197600000,1795204800000,'tests');
CREATE UNIQUE INDEX uq_boots_device_no_boot ON boots (device_no, boot);
CREATE UNIQUE INDEX uq_companies_name_key ON companies (name_key) WHERE closed_at IS NULL;
CREATE INDEX ix_corrections_company_id_user_id ON corrections (company_id, user_id);
CREATE INDEX ix_devices_serial ON devices (serial);
CREATE INDEX ix_epochs_gaps ON epochs (device_no) WHERE gaps;
CREATE INDEX ix_kept_answers_created_at ON kept_answers (created_at);
CREATE INDEX ix_login_counters_expires_at ON login_counters (expires_at);
CREATE INDEX ix_person_numbers_no ON person_numbers (no);
CREATE INDEX ix_resolutions_company_id_stamp_id ON resolutions (company_id, stamp_id);
CREATE INDEX ix_stamp_claims_device_no ON stamp_claims (device_no);
CREATE INDEX ix_stamps_unsettled ON stamps (stream_no, boottime_ms) WHERE unsettled;
CREATE INDEX ix_streams_boot_no ON streams (boot_no);
CREATE INDEX ix_streams_device_no_epoch ON streams (device_no, epoch);
CREATE INDEX ix_tag_numbers_no ON tag_numbers (no);
CREATE INDEX ix_tickets_expires_at ON tickets (expires_at);
CREATE INDEX ix_tickets_ticket_hash ON tickets (ticket_hash);
CREATE INDEX ix_voids_company_id_user_id ON voids (company_id, user_id);
CREATE INDEX ix_device_beats_seen_at ON device_beats (seen_at);
CREATE INDEX ix_device_logs_received_at ON device_logs (received_at);
CREATE INDEX ix_releases_device_no ON releases (device_no);
CREATE INDEX ix_users_id ON users (id);
CREATE UNIQUE INDEX uq_users_company_id_username_key ON users (company_id, username_key) WHERE deleted_at IS NULL;
CREATE INDEX ix_tag_holdings_company_id_tag_held_from ON tag_holdings (company_id, tag, held_from);
CREATE INDEX ix_tag_holdings_company_id_user_id ON tag_holdings (company_id, user_id);
CREATE UNIQUE INDEX uq_tag_holdings_company_id_tag ON tag_holdings (company_id, tag) WHERE held_until IS NULL;
CREATE INDEX ix_web_sessions_expires_at ON web_sessions (expires_at);
CREATE INDEX ix_web_sessions_token_hash ON web_sessions (token_hash);
CREATE INDEX ix_web_sessions_user_id ON web_sessions (user_id);
CREATE INDEX ix_pending_logins_user_id ON pending_logins (user_id);
CREATE INDEX ix_pending_logins_token_hash ON pending_logins (token_hash);
CREATE INDEX ix_pending_logins_expires_at ON pending_logins (expires_at);
CREATE INDEX ix_remembered_devices_user_id ON remembered_devices (user_id);
CREATE INDEX ix_remembered_devices_token_hash ON remembered_devices (token_hash);
CREATE INDEX ix_remembered_devices_expires_at ON remembered_devices (expires_at);
CREATE UNIQUE INDEX uq_audit_entries_company_id_id ON audit_entries (company_id, id);
CREATE INDEX ix_audit_entries_company_id_at ON audit_entries (company_id, at);
CREATE INDEX ix_audit_entries_company_id_action ON audit_entries (company_id, action);
CREATE INDEX ix_audit_words_company_id_about ON audit_words (company_id, about);
CREATE TRIGGER audit_entries_unchanged BEFORE UPDATE ON audit_entries BEGIN SELECT RAISE(ABORT, 'audit_entries: what is written stays'); END;
CREATE TRIGGER audit_entries_undeleted BEFORE DELETE ON audit_entries BEGIN SELECT RAISE(ABORT, 'audit_entries: what is written stays'); END;
CREATE TRIGGER audit_entries_unreplaced BEFORE INSERT ON audit_entries WHEN EXISTS (SELECT 1 FROM audit_entries WHERE company_id = NEW.company_id AND (no = NEW.no OR id = NEW.id)) BEGIN SELECT RAISE(ABORT, 'audit_entries: what is written stays'); END;
CREATE INDEX ix_device_assignments_device_no_starts_at ON device_assignments (device_no, starts_at);
CREATE INDEX ix_stamps_waits ON stamps (company_id, at, id) WHERE waits = 1;
CREATE INDEX ix_stray_stamps_received_at_id_device_no ON stray_stamps (received_at, id, device_no);
CREATE INDEX ix_quarantined_stamps_received_at_id_device_no ON quarantined_stamps (received_at, id, device_no);
CREATE INDEX ix_entries_flagged ON entries (company_id, id) WHERE flags <> 0;
COMMIT;
