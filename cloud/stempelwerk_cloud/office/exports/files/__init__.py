"""The files: their formats, DATEV, workbook, timesheets."""
