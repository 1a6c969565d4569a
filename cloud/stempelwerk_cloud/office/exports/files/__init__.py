"""The files: DATEV, workbook, timesheets."""
