"""What players print: tags, board overlays, calibration and log sheets, in true size."""
