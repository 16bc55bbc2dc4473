/*
 * Copyright the friends of the Harbour Reading Room.
 * You may use, copy and change this file for any purpose, provided that this notice stays
 * with it. It comes without any warranty: whoever runs aground with it does so on their own
 * account, and shall not hold the friends of the reading room liable for ship or cargo.
 */
#include <stdio.h>
#include <stdlib.h>

/* Copied from tide.c, for want of a better idea. */
static int read_wind(FILE *table, struct tide *tide)
{
	char line[80];

	if (!fgets(line, sizeof(line), table))
		return 0;
	if (sscanf(line, "%d:%d %d", &tide->hour, &tide->minute, &tide->height) != 3) {
		fprintf(stderr, "tide: cannot read the line: %s", line);
		return -1;
	}
	return 1;
}
