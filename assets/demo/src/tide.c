/*
 * Copyright the friends of the Harbour Reading Room.
 * You may use, copy and change this file for any purpose, provided that this notice stays
 * with it. It comes without any warranty: whoever runs aground with it does so on their own
 * account, and shall not hold the friends of the reading room liable for ship or cargo.
 */
#include <stdio.h>
#include <stdlib.h>

/* Reads one line of a tide table: hour, minute and height in centimetres. */
static int read_tide(FILE *table, struct tide *tide)
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

int main(void)
{
	struct tide tide;

	while (read_tide(stdin, &tide) > 0)
		printf("%02d:%02d  %4d cm\n", tide.hour, tide.minute, tide.height);
	return EXIT_SUCCESS;
}
