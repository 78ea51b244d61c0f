// The inner loops of head detection in vector code, for whichever instruction set the machine has. Rows may
// be read up to 128 bytes beyond their end; what lies there changes no result.
#pragma once

#include <cstdint>
#include <vector>

#include "core/heads/head_model.h"

namespace vantage::heads {

// out[x] = the sum of the 2 x 2 pixels whose first is x of `upper`.
void sum_pixels(const uint8_t* upper, const uint8_t* lower, uint16_t* out, int count);
// out[x] = the sum over `rows` rows, and in each over as many positions 2 apart.
void sum_blocks(const uint16_t* const* rows, int row_count, uint16_t* out, int count);
// Codes from three rows of block sums, blocks `block` elements apart.
void code_blocks(const uint16_t* const* rows, int block, uint8_t* out, int count);
void code_pixels(const uint8_t* const* rows, uint8_t* out, int count);

struct HeadRow {
  const HeadModel* model = nullptr;
  const uint8_t* codes = nullptr;  // of the first window; weak classifier t reads codes[offsets[t] + x]
  const int32_t* offsets = nullptr;
  int count = 0;  // windows in the row, each a pixel further
  int step = 1;   // 1: all of them; 2: every other
  int32_t accept_from = 0;
};
struct RowHit {
  int x;
  int32_t score;
};
// Appends the windows that no weak classifier rejects and whose score is enough.
void classify_row(const HeadRow& row, std::vector<RowHit>* hits);

}  // namespace vantage::heads
