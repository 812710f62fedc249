/**
 * Commands that make files of records and look into them. Entry type: {@link
 * dev.tributary.app.records.RecordsCommand}. Depends on the record formats of core and on the
 * launcher.
 */
package dev.tributary.app.records;
